"""Print what the rooms below the bridge and their tests need: every dependency except Qt, one a line."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
wanted = project["project"]["dependencies"] + project["dependency-groups"]["test"]
sys.stdout.write("\n".join(item for item in wanted if not item.lower().startswith(("pyside6", "pytest-qt"))))
