"""Everything the window can do, as one list: pages, menus, shortcuts and the palette are made from it."""

from widgets.common.actions import ActionSpec

PAGES = (
    ("graph", "Graph", "graph"),
    ("skill", "Skill", "skill"),
    ("review", "Review", "review"),
    ("curator", "Curator", "curator"),
    ("sessions", "Sessions", "sessions"),
    ("memory", "Memory", "memory"),
    ("history", "History", "history"),
)
WINDOW_ACTIONS = (
    ActionSpec("skill.new", "New skill…", "plus", "Ctrl+N", "Write a skill yourself", "file"),
    ActionSpec("folder.add", "Add a folder of skills…", "folder-open", "", "List skills of another folder", "file"),
    ActionSpec(
        "exchange.import", "Import…", "download", "Ctrl+I", "Skills of a folder, an archive or a repository", "swap"
    ),
    ActionSpec(
        "exchange.update",
        "Check for updates…",
        "refresh",
        "Ctrl+Alt+U",
        "Imported skills against their sources",
        "swap",
    ),
    ActionSpec("settings.open", "Settings…", "settings", "Ctrl+,", "Everything that can be chosen", "more"),
    ActionSpec("home.open", "Open the data folder", "folder", "", "Where everything is kept", "more"),
    ActionSpec("window.quit", "Quit", "close", "Ctrl+Q", "Save, end what runs, and leave", "quit"),
    ActionSpec("edit.undo", "Undo", "undo", "Ctrl+Alt+Z", "Take the last change of the library back", "edit"),
    ActionSpec(
        "history.then",
        "Library as it was on…",
        "clock",
        "Ctrl+Alt+T",
        "All skills of a day, and what became of them",
        "edit",
    ),
    ActionSpec(
        "history.not_kept",
        "What the history does not keep",
        "warning",
        "Ctrl+Alt+K",
        "Files that no undo can bring back",
        "edit",
    ),
    ActionSpec("palette.open", "Go to…", "search", "Ctrl+K", "Skills, conversations, pages and actions", "find"),
    ActionSpec("library.search", "Filter the library", "filter", "Ctrl+F", "Type into the filter", "find"),
    ActionSpec("library.archive", "Search the archive", "archive", "Ctrl+Alt+F", "Filter archived skills", "find"),
    ActionSpec(
        "library.stale", "Find stale skills", "clock", "Ctrl+Alt+S", "Not used for long, as far as is known", "care"
    ),
    ActionSpec(
        "library.heal",
        "Rewrite old names…",
        "link",
        "Ctrl+Alt+H",
        "Names of merged or renamed skills in other skills, as a proposal",
        "care",
    ),
    ActionSpec(
        "library.doubles", "Find near-duplicates…", "copy", "Ctrl+Alt+L", "Skills that say much the same", "care"
    ),
    *(
        ActionSpec(f"page.{page}", title, icon, f"Ctrl+{number}", f"Show {title}", "pages")
        for number, (page, title, icon) in enumerate(PAGES, 1)
    ),
    ActionSpec("side.library", "Library", "library", "Ctrl+Shift+L", "Show or hide the library", "sides"),
    ActionSpec("side.chat", "Chat", "chat", "Ctrl+Shift+C", "Show or hide the chat", "sides"),
    ActionSpec("view.refresh", "Refresh", "refresh", "F5", "Look at the library again", "view"),
    ActionSpec("view.bigger", "Larger text", "plus", "Ctrl++", "", "zoom"),
    ActionSpec("view.smaller", "Smaller text", "minus", "Ctrl+-", "", "zoom"),
    ActionSpec("view.theme", "Light or dark", "sun", "Ctrl+Shift+D", "Switch between light and dark", "zoom"),
    ActionSpec("chat.new", "New conversation", "plus", "Ctrl+Shift+N", "Begin anew", "chat"),
    ActionSpec("chat.review", "Review this conversation", "thinking", "Ctrl+Shift+R", "Learn from it now", "chat"),
    ActionSpec("log.open", "Open the log", "file", "", "What the program wrote down", "help"),
)
MENUS = (
    (
        "&File",
        ("skill.new", "folder.add", "exchange.import", "exchange.update", "settings.open", "home.open", "window.quit"),
    ),
    (
        "&Edit",
        (
            "edit.undo",
            "history.then",
            "history.not_kept",
            "palette.open",
            "library.search",
            "library.archive",
            "library.stale",
            "library.doubles",
            "library.heal",
        ),
    ),
    (
        "&View",
        (
            *(f"page.{page}" for page, _, _ in PAGES),
            "side.library",
            "side.chat",
            "view.refresh",
            "view.bigger",
            "view.smaller",
            "view.theme",
        ),
    ),
    ("&Chat", ("chat.new", "chat.review")),
    ("&Help", ("log.open",)),
)
