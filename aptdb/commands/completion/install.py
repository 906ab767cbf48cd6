"""Install completion: a script for the shell, and if necessary a line in its profile."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path

from aptdb.core.errors import AptError
from aptdb.store.file_writing import overwrite_file

SCRIPTS = {"bash": "aptdb.bash", "zsh": "aptdb.zsh", "fish": "aptdb.fish", "powershell": "aptdb.ps1"}
SHELLS = tuple(SCRIPTS)
THIS_SHELL = "this"  # the one that runs this program


ALSO = {"pwsh": "powershell"}
PATIENCE = 20  # seconds for PowerShell to say where its profile is


def write_completion_script(shell: str) -> str:
    """Return the completion script of a shell. Raise AptError for an unknown shell."""
    return (Path(__file__).parent / SCRIPTS[find_shell(shell)]).read_text(encoding="utf-8")


def find_shell(shell: str) -> str:
    """Return the name of a supported shell; for THIS_SHELL, of the one that runs this program."""
    found = find_running_shell() if shell == THIS_SHELL else shell
    found = ALSO.get(found, found)
    if found in SCRIPTS:
        return found
    shells = f"completion is for {', '.join(SHELLS)}"
    raise AptError(f"{shells}; name one of them" if shell == THIS_SHELL else f"no completion for {shell!r}; {shells}")


def find_running_shell() -> str:
    """Return the name of the shell that runs this program; else of the user's default shell; else ''."""
    from shellingham import ShellDetectionFailure, detect_shell

    with suppress(ShellDetectionFailure, OSError):
        return str(detect_shell()[0]).lower()
    return Path(os.environ.get("SHELL", "")).name


def install_completion(shell: str) -> str:
    """Install completion for a shell; return a report. Raise AptError if a file cannot be written."""
    shell = find_shell(shell)
    file = find_script_path(shell)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        overwrite_file(file, write_completion_script(shell).encode())
        profile = profile_of(shell)
        added = profile is not None and add_line(profile, line_that_reads_script(shell, file))
    except (OSError, UnicodeDecodeError) as error:
        raise AptError(f"completion cannot be installed: {error}; aptdb --show-completion {shell} prints it") from None
    also = f", and {profile} reads it" if added else ""
    return f"completion for {shell} is in {file}{also}; it begins in the next terminal"


def find_script_path(shell: str) -> Path:
    """Return the path of a shell's script: fish finds it by itself, other shells read it from their profile."""
    if shell == "fish":
        return find_user_folder("XDG_CONFIG_HOME", ".config") / "fish" / "completions" / SCRIPTS[shell]
    return find_user_folder("XDG_DATA_HOME", ".local/share") / "aptdb" / SCRIPTS[shell]


def find_user_folder(variable: str, usual: str) -> Path:
    """Return a folder of the user's, from the environment."""
    return Path(os.environ.get(variable) or Path.home() / usual)


def profile_of(shell: str) -> Path | None:
    """Return the start-up file of a shell; None if it needs none."""
    if shell == "bash":
        return Path.home() / ".bashrc"
    if shell == "zsh":
        return Path(os.environ.get("ZDOTDIR") or Path.home()) / ".zshrc"
    return profile_of_powershell() if shell == "powershell" else None


def profile_of_powershell() -> Path:
    """Return the start-up file of PowerShell, as PowerShell reports it."""
    for program in ("pwsh", "powershell"):
        with suppress(OSError, subprocess.SubprocessError):
            asked = [program, "-NoProfile", "-Command", "$PROFILE"]
            output = subprocess.run(asked, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
            return Path(output.strip())
    raise AptError("PowerShell is not found; aptdb --show-completion powershell prints what its profile needs")


def line_that_reads_script(shell: str, file: Path) -> str:
    """Return the line that makes a shell read the script."""
    if shell == "powershell":
        quoted = "'" + str(file).replace("'", "''") + "'"
        return f"if (Test-Path {quoted}) {{ . {quoted} }}"
    quoted = "'" + str(file).replace("'", "'\\''") + "'"
    return f"[ -r {quoted} ] && . {quoted}"


def add_line(profile: Path, line: str) -> bool:
    """Add a line to a file if it is missing; return whether it was added."""
    before = profile.read_text(encoding="utf-8") if profile.exists() else ""
    if line in before.splitlines():
        return False
    profile.parent.mkdir(parents=True, exist_ok=True)
    with profile.open("a", encoding="utf-8") as opened:
        opened.write(("" if before.endswith("\n") or not before else "\n") + f"# Completion of aptdb\n{line}\n")
    return True
