"""What a robot can be asked, and which algorithms answer: a row a quantity, a file a topic.

To add a quantity, write its algorithm and a row in the file of its topic; the method on `Robot`
(`answers/`) carries its documentation.
"""

from momentarm.quantities.recipes import SOURCES, elements, kernel, moves, recipe
from momentarm.quantities.row import Quantity
from momentarm.quantities.table import QUANTITIES

__all__ = ["QUANTITIES", "SOURCES", "Quantity", "elements", "kernel", "moves", "recipe"]
