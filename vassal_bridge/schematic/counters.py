"""Counters and small markers, drawn with NATO symbols and the factors of a face.

All artwork is made here, so that a module holds nothing of anybody else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PIL import Image, ImageColor, ImageDraw, ImageFont

from vassal_bridge.schematic.definition import Group, MarkerCounter, Unit

__all__ = ["SIZE", "SYMBOLS", "disrupted_badge", "face_image", "marker_image", "moved_badge"]

SIZE = 44  # pixels; fits a hex that is 64 pixels wide
_INK = (20, 20, 20)
_BOX = (10, 13, 33, 27)  # the symbol's frame


def face_image(group: Group, unit: Unit, face: int) -> Image.Image:
    """Draw one face of a unit; ``face`` counts from 0, later faces have a stripe for the loss."""
    image = Image.new("RGB", (SIZE, SIZE), group.colour)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, SIZE - 1, SIZE - 1), outline=_INK)
    if face:
        draw.rectangle((1, 1, SIZE - 2, 2 + face), fill=(250, 250, 250))
    draw.text((SIZE / 2, 9), group.size, fill=_INK, font=_font(8), anchor="mm")
    draw.rectangle(_BOX, outline=_INK, fill=(246, 246, 240))
    SYMBOLS[group.symbol](draw)
    draw.text((SIZE / 2, 32), _printed(group.faces_of(unit)[face]), fill=_INK, font=_font(9), anchor="mm")
    draw.text((SIZE / 2, 40), _designation(unit), fill=(70, 30, 30), font=_font(6), anchor="mm")
    return image


def marker_image(marker: MarkerCounter) -> Image.Image:
    """Draw a counter that is no unit: what it says, a line each."""
    image = Image.new("RGB", (SIZE, SIZE), marker.colour)
    draw = ImageDraw.Draw(image)
    draw.ellipse((2, 2, SIZE - 3, SIZE - 3), outline=_INK)
    lines = marker.face or marker.name.split()
    for number, line in enumerate(lines):
        middle = SIZE / 2 + 10 * (number - (len(lines) - 1) / 2)
        draw.text((SIZE / 2, middle), line, fill=_INK, font=_font(8), anchor="mm")
    return image


def disrupted_badge() -> Image.Image:
    """Draw what lies over a disrupted unit."""
    image = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rectangle((1, SIZE - 9, SIZE - 2, SIZE - 2), fill=(*ImageColor.getrgb("#c22020"), 215))
    draw.text((SIZE / 2, SIZE - 5), "DISRUPTED", fill=(255, 255, 255), font=_font(7), anchor="mm")
    return image


def moved_badge() -> Image.Image:
    """Draw the sign of a unit that has moved."""
    image = Image.new("RGB", (12, 12), "#ffd800")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 11, 11), outline=_INK)
    draw.text((6, 6), "m", fill=_INK, font=_font(8), anchor="mm")
    return image


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _printed(face: str) -> str:
    if face.startswith("L"):
        rating, allowance = face[1:].split("-")
        return f"({rating}){allowance}"
    return face.removeprefix("A")


def _designation(unit: Unit) -> str:
    return f"{unit.name} / {unit.division}" if unit.division else unit.name


def _infantry(draw: ImageDraw.ImageDraw) -> None:
    left, top, right, bottom = _BOX
    draw.line((left, top, right, bottom), fill=_INK)
    draw.line((left, bottom, right, top), fill=_INK)


def _armor(draw: ImageDraw.ImageDraw) -> None:
    left, top, right, bottom = _BOX
    draw.ellipse((left + 4, top + 3, right - 4, bottom - 3), outline=_INK)


def _mechanized(draw: ImageDraw.ImageDraw) -> None:
    _infantry(draw)
    _armor(draw)


def _mountain(draw: ImageDraw.ImageDraw) -> None:
    _infantry(draw)
    middle, bottom = (_BOX[0] + _BOX[2]) // 2, _BOX[3]
    draw.polygon((middle - 4, bottom, middle, bottom - 6, middle + 4, bottom), fill=_INK)


def _jaeger(draw: ImageDraw.ImageDraw) -> None:
    _infantry(draw)
    draw.text(((_BOX[0] + _BOX[2]) / 2, _BOX[1] + 5), "J", fill=_INK, font=_font(7), anchor="mm")


def _cavalry(draw: ImageDraw.ImageDraw) -> None:
    left, top, right, bottom = _BOX
    draw.line((left, bottom, right, top), fill=_INK)


def _hq(draw: ImageDraw.ImageDraw) -> None:
    left, top, right, bottom = _BOX
    draw.line((left, top, left, bottom + 4), fill=_INK)
    draw.text(((left + right) / 2, (top + bottom) / 2), "HQ", fill=_INK, font=_font(9), anchor="mm")


def _truck(draw: ImageDraw.ImageDraw) -> None:
    left, _, right, bottom = _BOX
    for x in (left + 5, right - 5):
        draw.ellipse((x - 3, bottom - 3, x + 3, bottom + 3), outline=_INK, fill=(246, 246, 240))


def _air(draw: ImageDraw.ImageDraw) -> None:
    left, top, right, bottom = _BOX
    draw.polygon((left + 4, top + 4, right - 4, bottom - 4, right - 4, top + 4, left + 4, bottom - 4), fill=_INK)


SYMBOLS: Mapping[str, Callable[[ImageDraw.ImageDraw], None]] = {
    "infantry": _infantry,
    "jaeger": _jaeger,
    "mountain": _mountain,
    "armor": _armor,
    "mechanized": _mechanized,
    "cavalry": _cavalry,
    "hq": _hq,
    "truck": _truck,
    "air": _air,
}
