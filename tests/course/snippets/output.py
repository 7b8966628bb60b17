"""Shown output against what a program really prints: times masked, '…' stands for anything."""
import re

MASKS = [
    (r"\b\d+\.\d s\b", "0.0 s"),          # how long a run took
    (r"%(rd|rs|r|p|fd|f)\d+\b", r"%\1"),  # PTX registers and lines: another nvcc numbers them in another way
    (r"PTX line \d+", "PTX line"),
    (r"stand-in: ", ""),                  # a GPU that softgpu plays
]


def masked(text):
    for pattern, value in MASKS:
        text = re.sub(pattern, value, text)
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


def expression(shown, words):
    """`words`: however the lines are broken and spaced."""
    def literal(piece):
        return r"\s+".join(re.escape(word) for word in piece.split()) if words else re.escape(piece)
    return r"\s*[\s\S]*?\s*".join(literal(piece) for piece in masked(shown).split("…"))


def first_difference(shown, real):
    """The first shown line that no real line equals, for the message."""
    lines = {" ".join(line.split()) for line in masked(real).split("\n")}
    for line in masked(shown).split("\n"):
        if "…" not in line and " ".join(line.split()) not in lines:
            return line.strip()
    return "the order of its lines"


def excerpt_fault(shown, real):
    """None if all that is shown is in what is real."""
    if re.search(expression(shown, True), masked(real)):
        return None
    return f"this is not what is printed; the first line that is not: {first_difference(shown, real)}\n{real.strip()[-2500:]}"


def whole_fault(shown, real):
    """None if what is shown is all that is printed."""
    if re.fullmatch(expression(shown, False), masked(real)):
        return None
    return f"this is not all that is printed; the first line that is not: {first_difference(shown, real)}\n{real.strip()[-2500:]}"


def console_parts(text):
    """[(command, what is shown after it)] of a block of language console."""
    parts = []
    for line in text.split("\n"):
        if line.startswith("$ "):
            parts.append([line[2:], []])
        elif parts:
            parts[-1][1].append(line)
    return [(command, "\n".join(lines)) for command, lines in parts]
