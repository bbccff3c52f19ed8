"""The pictures of the two boards: the hex map with its terrain, and the boxes beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFont

from vassal_bridge.schematic.definition import Definition
from vassal_bridge.schematic.layout import Layout

__all__ = ["BOX_SIZE", "box_places", "boxes_image", "map_image"]

BOX_SIZE = (300, 220)  # pixels
_BOX_COLUMNS = 4
_PAPER, _GRID, _INK = "#efe6cf", "#b9ae92", "#2a2418"
_RAIL, _LINE = "#3a3a3a", "#c03030"


def map_image(definition: Definition, layout: Layout) -> Image.Image:
    """Draw the map; what a later step draws lies over what an earlier one drew."""
    image = Image.new("RGB", (layout.width, layout.height), "#f7f2e4")
    draw = ImageDraw.Draw(image)
    _draw_hexes(draw, definition, layout)
    _draw_line(draw, definition, layout)
    _draw_rails(draw, definition, layout)
    _draw_rivers(draw, definition, layout)
    _draw_names(draw, definition, layout)
    _draw_header(draw, definition)
    # Few colours and one palette: a tenth of the bytes, and the engine reads it faster.
    return image.quantize(colors=128, dither=Image.Dither.NONE)


def _draw_hexes(draw: ImageDraw.ImageDraw, definition: Definition, layout: Layout) -> None:
    fills, cities = (_coloured(definition, colours) for colours in (definition.board.fill, definition.board.city))
    font = _font(11)
    for row, position in layout.sheet.hexes():
        name = layout.sheet.name(row, position)
        draw.polygon(layout.corners(row, position), fill=fills.get(name, _PAPER), outline=_GRID)
        x, y = layout.centre(row, position)
        if name in cities:
            reach = layout.hex_width // 4
            draw.rectangle((x - reach, y - reach, x + reach, y + reach), fill=cities[name], outline=_INK)
        draw.text((x, y - layout.radius * 0.6), name, fill="#857a5f", font=font, anchor="mm")


def _coloured(definition: Definition, colours: Mapping[str, str]) -> dict[str, str]:
    """Return the colour of each hex that bears one of these tags; of several the last counts."""
    return {name: colour for tag, colour in colours.items() for name in definition.terrain.hexes.get(tag, ())}


def _draw_line(draw: ImageDraw.ImageDraw, definition: Definition, layout: Layout) -> None:
    for first, second in pairwise(definition.terrain.hexes.get(definition.board.line, ())):
        _dashes(draw, *_centres(layout, (first, second)))


def _dashes(draw: ImageDraw.ImageDraw, start: tuple[int, int], end: tuple[int, int]) -> None:
    for step in range(0, 8, 2):
        points = [
            (start[0] + (end[0] - start[0]) * part / 8, start[1] + (end[1] - start[1]) * part / 8)
            for part in (step, step + 1)
        ]
        draw.line(points, fill=_LINE, width=5)


def _draw_rails(draw: ImageDraw.ImageDraw, definition: Definition, layout: Layout) -> None:
    for line in definition.terrain.rail:
        draw.line(_centres(layout, line.path), fill=_RAIL, width=3, joint="curve")
        for name in line.path:
            x, y = layout.centre(*layout.sheet.place(name))
            draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=_RAIL)


def _draw_rivers(draw: ImageDraw.ImageDraw, definition: Definition, layout: Layout) -> None:
    for feature, stroke in definition.board.water.items():
        reach = stroke.width / 2
        for side in definition.terrain.hexsides.get(feature, ()):
            ends = layout.side(*side.split("|"))
            draw.line(ends, fill=stroke.colour, width=stroke.width)
            for x, y in ends:  # round ends, so that a bend has no notch
                draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=stroke.colour)


def _draw_names(draw: ImageDraw.ImageDraw, definition: Definition, layout: Layout) -> None:
    written = set()
    for place, name in definition.terrain.names.items():
        if name not in written:
            written.add(name)
            x, y = layout.centre(*layout.sheet.place(place))
            draw.text(
                (x, y + layout.radius * 0.65),
                name,
                fill="#300",
                font=_font(17),
                anchor="mm",
                stroke_width=2,
                stroke_fill=_PAPER,
            )


def _draw_header(draw: ImageDraw.ImageDraw, definition: Definition) -> None:
    draw.text((20, 24), definition.board.title, fill=_INK, font=_font(30), anchor="lm")
    for line, text in enumerate(definition.board.remarks):
        draw.text((20, 52 + 18 * line), text, fill=_INK, font=_font(14), anchor="lm")


def box_places(names: Sequence[str]) -> list[tuple[str, int, int]]:
    """Return the centre of each box, in pixels of the boxes' board."""
    width, height = BOX_SIZE
    return [
        (name, width * (index % _BOX_COLUMNS) + width // 2, height * (index // _BOX_COLUMNS) + height // 2)
        for index, name in enumerate(names)
    ]


def boxes_image(names: Sequence[str]) -> Image.Image:
    """Draw the board with the boxes."""
    width, height = BOX_SIZE
    rows = -(-len(names) // _BOX_COLUMNS)
    image = Image.new("RGB", (width * _BOX_COLUMNS, height * rows), "#e6e6ec")
    draw = ImageDraw.Draw(image)
    for name, x, y in box_places(names):
        draw.rectangle((x - width / 2 + 4, y - height / 2 + 4, x + width / 2 - 5, y + height / 2 - 5), outline=_INK)
        draw.text((x, y - height / 2 + 20), name, fill=_INK, font=_font(16), anchor="mm")
    return image


def _centres(layout: Layout, names: Iterable[str]) -> list[tuple[int, int]]:
    return [layout.centre(*layout.sheet.place(name)) for name in names]


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
