"""Small numbers per session that outlive a restart: how many turns since the last review, and the like."""

from app.database import Database
from app.sessions.writer import writing


class Counters:
    """Named numbers of each session; a name never counted is 0."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, session: str, name: str) -> int:
        """The number now."""
        rows = self._db.read("SELECT value FROM counter WHERE session = ? AND name = ?", (session, name))
        return int(rows[0]["value"]) if rows else 0

    def add(self, session: str, name: str, by: int = 1) -> int:
        """Count on, and return the new number."""
        with writing(self._db) as connection:
            row = connection.execute(
                "INSERT INTO counter VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value"
                " RETURNING value",
                (session, name, by),
            ).fetchone()
        return int(row["value"])

    def sessions(self, name: str) -> tuple[str, ...]:
        """The sessions whose number of this name is not 0."""
        rows = self._db.read("SELECT session FROM counter WHERE name = ? AND value != 0 ORDER BY rowid", (name,))
        return tuple(str(row["session"]) for row in rows)

    def reset(self, session: str, name: str) -> None:
        """Begin again at 0."""
        with writing(self._db) as connection:
            connection.execute("DELETE FROM counter WHERE session = ? AND name = ?", (session, name))
