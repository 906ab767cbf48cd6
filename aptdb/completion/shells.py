"""The shells that completion is for, and the script of each."""

SCRIPTS = {"bash": "aptdb.bash", "zsh": "aptdb.zsh", "fish": "aptdb.fish", "powershell": "aptdb.ps1"}
SHELLS = tuple(SCRIPTS)
THIS_SHELL = "this"  # the one that runs this program
