"""Regular expressions that are compiled when they are first needed.

To compile the three hundred patterns of the program took a sixth of its imports; most of them a run never needs.
"""

import re
from functools import cache


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The compiled pattern, kept for good: for patterns spelled in the code, never for ones made from a user's text."""
    return re.compile(pattern, flags)
