import subprocess
import sys


def test_the_agent_and_its_tools_load_without_the_heavy_libraries():
    code = (
        "import sys, app.agent.loop, app.providers.anthropic, app.providers.keys, app.toolbox.dispatcher; "
        "print(sorted({'anthropic', 'httpx2', 'keyring', 'PySide6', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
