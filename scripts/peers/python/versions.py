"""The versions of the tools: name, tab, version."""

from importlib.metadata import version
from platform import python_version

print(f"Python\t{python_version()}")
for name in ("anonymeter", "sdmetrics", "mostlyai-qa", "numpy", "pandas", "scikit-learn"):
    print(f"{name}\t{version(name)}")
