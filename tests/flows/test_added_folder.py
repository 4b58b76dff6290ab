"""A folder added in the settings counts at once, for every lane."""


def test_a_skill_of_a_folder_just_added_can_be_opened(shop, tmp_path):
    folder = tmp_path / "more" / "far-skill"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: far-skill\ndescription: Far. Use in tests.\n---\n\n# Far\n")
    shop.put("near")
    window = shop.open()
    skills, library = window.services.skills, window.services.library
    with shop.qtbot.waitSignal(skills.opened, timeout=10_000):
        skills.open("near")
    window.services.preferences.set_value("library", "folders", (str(tmp_path / "more"),))
    shop.wait(lambda: any(skill.name == "far-skill" for skill in library.library.skills))
    far = next(skill.id for skill in library.library.skills if skill.name == "far-skill")
    answers: list[str] = []
    skills.opened.connect(lambda detail: answers.append(detail.skill.id))
    skills.failed.connect(lambda failure: answers.append(failure.text))
    skills.open(far)
    shop.wait(lambda: far in answers or bool(answers))
    assert answers[-1] == far
