import VASSAL.build.AbstractBuildable;
import VASSAL.build.Buildable;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.build.module.map.boardPicker.board.HexGrid;
import VASSAL.build.module.map.boardPicker.board.MapGrid;
import VASSAL.build.module.map.boardPicker.board.MapGrid.BadCoords;
import VASSAL.build.module.map.boardPicker.board.SquareGrid;
import VASSAL.build.module.map.boardPicker.board.mapgrid.GridContainer;
import VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering;
import VASSAL.build.module.map.boardPicker.board.mapgrid.RegularGridNumbering;
import VASSAL.build.module.map.boardPicker.board.mapgrid.SquareGridNumbering;
import java.awt.Dimension;
import java.awt.Point;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Asks the engine's grids for names and places, without a module or a window.
 *
 * <p>Input lines, words separated by tabs: {@code grid hex|square WIDTH HEIGHT [grid|numbering.]ATTRIBUTE=VALUE ...} makes
 * a grid, {@code point X Y} asks for the name of a point, the place that the engine means by that name ({@code bad} if it
 * means none), and the place where a piece dropped there snaps to. Each point is answered by a line that starts with
 * {@code answer}, since the engine's own log goes to the same output.
 */
public final class GridProbe {
  private GridProbe() {}

  public static void main(String[] arguments) throws Exception {
    final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    MapGrid grid = null;
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      final String[] words = line.split("\t", -1);
      if ("grid".equals(words[0])) {
        grid = makeGrid(words);
      }
      else {
        final Point point = new Point(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        final String name = grid.locationName(point);
        final Point snapped = grid.snapTo(point);
        System.out.println(String.join("\t", "answer", name, place(grid, name), snapped.x + "," + snapped.y));
      }
    }
  }

  private static MapGrid makeGrid(String[] words) {
    final boolean isHex = "hex".equals(words[1]);
    final MapGrid grid = isHex ? new HexGrid() : new SquareGrid();
    final RegularGridNumbering numbering = isHex ? new HexGridNumbering() : new SquareGridNumbering();
    for (int i = 4; i < words.length; ++i) {
      final String[] pair = words[i].split("=", 2);
      if (pair[0].startsWith("numbering.")) {
        numbering.setAttribute(pair[0].substring("numbering.".length()), pair[1]);
      }
      else if (isHex) {
        ((HexGrid) grid).setAttribute(pair[0], pair[1]);
      }
      else {
        ((SquareGrid) grid).setAttribute(pair[0], pair[1]);
      }
    }
    final Container container = new Container(Integer.parseInt(words[2]), Integer.parseInt(words[3]));
    ((Buildable) grid).addTo(container);
    numbering.addTo((Buildable) grid);
    return grid;
  }

  private static String place(MapGrid grid, String name) {
    try {
      final Point place = grid.getLocation(name);
      return place.x + "," + place.y;
    }
    catch (BadCoords e) {
      return "bad";
    }
  }

  /** Stands in for the board: all that a grid asks of it is its size. */
  private static final class Container extends AbstractBuildable implements GridContainer {
    private final Dimension size;

    Container(int width, int height) {
      size = new Dimension(width, height);
    }

    @Override
    public Dimension getSize() {
      return size;
    }

    @Override
    public boolean contains(Point p) {
      return true;
    }

    @Override
    public Board getBoard() {
      return null;
    }

    @Override
    public void setGrid(MapGrid grid) {}

    @Override
    public void removeGrid(MapGrid grid) {}

    @Override
    public String[] getAttributeNames() {
      return new String[0];
    }

    @Override
    public void setAttribute(String key, Object value) {}

    @Override
    public String getAttributeValueString(String key) {
      return null;
    }

    @Override
    public void addTo(Buildable parent) {}
  }
}
