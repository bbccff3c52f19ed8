import java.awt.AWTEvent;
import java.awt.Color;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.Graphics2D;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Toolkit;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.WindowEvent;
import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map.Entry;
import java.util.Random;
import java.util.TreeMap;

import javax.imageio.ImageIO;
import javax.swing.AbstractButton;
import javax.swing.Action;
import javax.swing.JButton;
import javax.swing.JEditorPane;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JMenuBar;
import javax.swing.JTextField;
import javax.swing.JTextPane;
import javax.swing.SwingUtilities;
import javax.swing.text.Document;
import javax.swing.text.JTextComponent;

import com.sun.management.OperatingSystemMXBean;

import VASSAL.Info;
import VASSAL.build.GameModule;
import VASSAL.build.module.BasicLogger;
import VASSAL.build.module.Chatter;
import VASSAL.build.module.DiceButton;
import VASSAL.build.module.ExtensionsLoader;
import VASSAL.build.module.GameState;
import VASSAL.build.module.Map;
import VASSAL.build.module.PlayerRoster;
import VASSAL.build.module.WizardSupport;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.build.module.properties.GlobalProperty;
import VASSAL.build.module.turn.TurnTracker;
import VASSAL.build.widget.PieceSlot;
import VASSAL.command.Command;
import VASSAL.configure.NamedHotKeyConfigurer;
import VASSAL.counters.BasicPiece;
import VASSAL.counters.Deck;
import VASSAL.counters.Decorator;
import VASSAL.counters.DragBuffer;
import VASSAL.counters.Embellishment;
import VASSAL.counters.FreeRotator;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyBuffer;
import VASSAL.counters.PieceCloner;
import VASSAL.counters.PieceIterator;
import VASSAL.counters.Properties;
import VASSAL.counters.Stack;
import VASSAL.i18n.Localization;
import VASSAL.launch.PlayerWindow;
import VASSAL.launch.StandardConfig;
import VASSAL.tools.DataArchive;
import VASSAL.tools.NamedKeyStroke;
import VASSAL.tools.filechooser.FileChooser;
import VASSAL.tools.filechooser.FileFilter;
import VASSAL.tools.menu.MenuBarProxy;
import VASSAL.tools.menu.MenuManager;

/**
 * Drives a VASSAL engine from another program.
 *
 * <p>Start it with a module file; it then reads one command per line from
 * standard input (words separated by tabs) and answers each with one line of
 * JSON on standard output. All work is done on the event thread, through the
 * same entry points that the mouse and the menus use, so that what reaches
 * the log file is what a player's session would have written.
 *
 * <pre>
 * java -DVASSAL.conf=DIR -cp Vengine.jar:... EngineDriver MODULE.vmod [SEED]
 * </pre>
 *
 * Extensions in the folder MODULE_ext beside the module are loaded as well.
 *
 * Needs a display (Xvfb will do): the engine's main window is a JFrame field
 * of the game module and cannot be made when java.awt.headless is true.
 */
public final class EngineDriver {
  // A player's id in a VASSAL file is a password; this one is nobody's.
  private static final String PLAYER = "Player";
  private static final String PASSWORD = "demo";

  private static final OperatingSystemMXBean OS =
    ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static GameModule gm;
  private static ScriptedChooser chooser;
  private static int chatSeen;
  private static final List<String> dialogs =
    Collections.synchronizedList(new ArrayList<>());
  private static final Deque<String> answers = new ArrayDeque<>();

  private EngineDriver() {}

  // --- start-up ------------------------------------------------------------

  public static void main(String[] args) throws Exception {
    final PrintStream out = new PrintStream(System.out, true, "UTF-8");
    System.setOut(System.err); // nothing but answers on standard output
    watchDialogs();

    final long start = System.nanoTime();
    Info.setConfig(new StandardConfig() {
      // After each save the engine starts this program to tell a module
      // manager about the new file; there is none to tell.
      @Override
      public Path getJavaBinPath() {
        return Path.of("/bin/true");
      }
    });
    final Long seed = args.length > 1 ? Long.valueOf(args[1]) : null;
    final LinkedHashMap<String, Object> hello = new LinkedHashMap<>();
    try {
      onEventThread(() -> {
        openModule(new File(args[0]), seed);
        return null;
      });
    }
    catch (RuntimeException e) {
      e.printStackTrace();
      hello.put("ok", false);
      hello.put("error", String.valueOf(e.getCause()));
      out.println(Json.write(hello));
      System.exit(1); // the event thread would keep the process alive
    }
    hello.put("ok", true);
    hello.put("engine", Info.getVersion());
    hello.put("module", gm.getGameName());
    hello.put("version", gm.getGameVersion());
    hello.put("load_s", seconds(start));
    hello.put("cpu_s", OS.getProcessCpuTime() / 1_000_000 / 1e3);
    out.println(Json.write(hello));

    final BufferedReader in = new BufferedReader(
      new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.isBlank()) continue;
      if ("quit".equals(line)) break;
      out.println(answer(line.split("\t", -1)));
    }
    System.exit(0); // the engine leaves non-daemon threads behind
  }

  private static void openModule(File file, Long seed) throws Exception {
    if (!file.isFile()) { // the engine would open an empty module
      throw new FileNotFoundException(file.getPath());
    }
    new DriverMenus();
    gm = new GameModule(new DataArchive(file.getPath()));
    if (seed != null) set(GameModule.class, gm, "RNG", new Random(seed));
    // The stock wizard waits for clicks; sides are taken by "side" instead.
    set(GameModule.class, gm, "wizardSupport", new QuietWizard());
    chooser = new ScriptedChooser();
    set(GameModule.class, gm, "fileChooser", chooser);

    GameModule.init(gm);
    new ExtensionsLoader().addTo(gm);
    Localization.getInstance().translate();

    gm.getPrefs().getOption(GameModule.REAL_NAME).setValue(PLAYER);
    gm.getPrefs().getOption(GameModule.SECRET_NAME).setValue(PASSWORD);
    for (final String prompt : List.of("PromptNewLogAtStart",
                                       "PromptNewLogEnd",
                                       "promptLogComment")) {
      if (gm.getPrefs().getOption(prompt) != null) {
        gm.getPrefs().setValue(prompt, Boolean.FALSE);
      }
    }
    gm.getPlayerWindow().setVisible(true);
  }

  // --- commands --------------------------------------------------------------

  private static String answer(String[] w) {
    final LinkedHashMap<String, Object> reply = new LinkedHashMap<>();
    final long start = System.nanoTime();
    final long cpu = OS.getProcessCpuTime();
    try {
      final Object result = onEventThread(() -> perform(w));
      drain();
      reply.put("ok", true);
      if (result != null) reply.put("result", result);
    }
    catch (Throwable t) {
      final Throwable cause = t.getCause() == null ? t : t.getCause();
      cause.printStackTrace();
      reply.put("ok", false);
      reply.put("error", String.valueOf(cause));
    }
    reply.put("s", seconds(start));
    reply.put("cpu_s", (OS.getProcessCpuTime() - cpu) / 1_000_000 / 1e3);
    if (!dialogs.isEmpty()) {
      reply.put("dialogs", new ArrayList<>(dialogs));
      dialogs.clear();
    }
    return Json.write(reply);
  }

  private static Object perform(String[] w) throws Exception {
    switch (w[0]) {
    case "new":        return newGame();
    case "side":       return takeSide(w[1]);
    case "place":      return place(w[1], w[2], point(w[2], w[3]));
    case "move":       return move(w[1], point(w[1], w[2]), ids(w[3]));
    case "draw":       return drawCard(w[1], w[2], point(w[2], w[3]));
    case "key":        return keyCommand(ids(w[1]), w[2]);
    case "hotkey":
      gm.fireKeyStroke(NamedHotKeyConfigurer.decode(w[1]));
      return null;
    case "chat":
      gm.getChatter().getInputField().setText(w[1]);
      gm.getChatter().getInputField().postActionEvent();
      return null;
    case "answer":
      answers.add(w[1]);
      return null;
    case "pref":
      gm.getPrefs().getOption(w[1]).setValue(w[2]);
      return null;
    case "undo":       return fire("undoAction");
    case "beginlog":
      chooser.file = new File(w[1]);
      return fire("newLogAction");
    case "endlog":     return fire("endLogAction");
    case "save":
      gm.getGameState().saveGame(new File(w[1]));
      return null;
    case "load":       return load(new File(w[1]));
    case "recode":     return recode(new File(w[1]), new File(w[2]));
    case "step":       return step(w.length > 1 ? Integer.parseInt(w[1]) : 1);
    case "close":
      gm.getGameState().setModified(false);
      gm.getGameState().setup(false);
      return null;
    case "state":      return state();
    case "locate":     return List.of(point(w[1], w[2]).x, point(w[1], w[2]).y);
    case "names":      return names(map(w[1]), w[2]);
    case "chatter":    return newChat();
    case "execute":
      // A raw command string, as a server or a log would deliver it.
      final Command c = gm.decode(w[1]);
      if (c == null) return "not understood";
      c.execute();
      return c.getClass().getName();
    case "picture":    return picture(map(w[1]), new File(w[2]));
    case "memory":     return memory();
    default:
      throw new IllegalArgumentException("unknown command " + w[0]);
    }
  }

  private static Object newGame() {
    gm.getGameState().setModified(false);
    gm.setGameFileMode(GameModule.GameFileMode.NEW_GAME);
    gm.getGameState().setup(false);
    gm.getGameState().setup(true);
    return null;
  }

  /** What the set-up wizard does when the player has chosen a side. */
  private static Object takeSide(String side) {
    final PlayerRoster roster = gm.getPlayerRoster();
    final Command add = new PlayerRoster.Add(roster,
      GameModule.getActiveUserId(), PLAYER, side);
    final String old = PlayerRoster.getMySide();
    add.execute();
    gm.getServer().sendToOthers(add);
    return old;
  }

  /** Drags a copy of a palette's piece to a map. */
  private static Object place(String slotName, String map, Point p)
    throws Exception {
    final PieceSlot slot = gm.getAllDescendantComponentsOf(PieceSlot.class)
      .stream().filter(s -> slotName.equals(s.getConfigureName())
                         || slotName.equals(s.getGpId()))
      .findFirst().orElseThrow();
    final GamePiece piece =
      PieceCloner.getInstance().clonePiece(slot.getPiece());
    piece.setProperty(Properties.PIECE_ID, slot.getGpId());
    KeyBuffer.getBuffer().clear();
    DragBuffer.getBuffer().clear();
    DragBuffer.getBuffer().add(piece);
    drop(map(map), p);
    return piece.getId();
  }

  private static Object move(String map, Point p, List<GamePiece> pieces) {
    KeyBuffer.getBuffer().clear();
    DragBuffer.getBuffer().clear();
    pieces.forEach(DragBuffer.getBuffer()::add);
    drop(map(map), p);
    return null;
  }

  private static Object drawCard(String deckName, String map, Point p) {
    final Deck deck = (Deck) gm.getGameState().getAllPieces().stream()
      .filter(d -> d instanceof Deck
                && deckName.equals(((Deck) d).getDeckName()))
      .findFirst().orElseThrow();
    KeyBuffer.getBuffer().clear();
    DragBuffer.getBuffer().clear();
    final List<Object> drawn = new ArrayList<>();
    for (final PieceIterator it = deck.drawCards(); it.hasMoreElements();) {
      final GamePiece card = it.nextPiece();
      card.setProperty(Properties.OBSCURED_BY,
                       card.getProperty(Properties.OBSCURED_BY_PRE_DRAW));
      DragBuffer.getBuffer().add(card);
      drawn.add(card.getId());
    }
    drop(map(map), p);
    return drawn;
  }

  private static void drop(Map map, Point p) {
    final Command c = map.getPieceMover().movePieces(map, p);
    gm.sendAndLog(c);
    DragBuffer.getBuffer().clear();
  }

  private static Object keyCommand(List<GamePiece> pieces, String stroke) {
    KeyBuffer.getBuffer().clear();
    pieces.forEach(KeyBuffer.getBuffer()::add);
    final Command c = KeyBuffer.getBuffer().keyCommand(
      NamedHotKeyConfigurer.decode(stroke).getKeyStroke());
    gm.sendAndLog(c);
    return c == null || c.isNull() ? "nothing happened" : null;
  }

  private static Object load(File file) {
    final GameState gs = gm.getGameState();
    if (!gs.isSaveMetaDataValid(file)) return "metadata refused";
    gs.setModified(false);
    gm.setGameFile(file.getName(), GameModule.GameFileMode.LOADED_GAME);
    gs.loadGameInForeground(file);
    return gs.getAllPieces().size();
  }

  /** Reads a save without running it, writes what the engine would write. */
  private static Object recode(File in, File out) throws Exception {
    final Command c = gm.getGameState().decodeSavedGame(in);
    Files.writeString(out.toPath(), gm.encode(c));
    final TreeMap<String, Object> counts = new TreeMap<>();
    count(c, counts);
    return counts;
  }

  private static void count(Command c, TreeMap<String, Object> counts) {
    final String name = c instanceof BasicLogger.LogCommand
      ? "Log:" + simple(((BasicLogger.LogCommand) c).getLoggedCommand())
      : simple(c);
    counts.merge(name, 1, (a, b) -> (Integer) a + (Integer) b);
    for (final Command sub : c.getSubCommands()) count(sub, counts);
  }

  private static String simple(Command c) {
    return c.getClass().getName().replaceFirst(".*\\.", "");
  }

  private static Object step(int n) throws Exception {
    final BasicLogger logger = (BasicLogger) gm.getLogger();
    int done = 0;
    while (done < n && logger.isReplaying()) {
      fire("stepAction");
      done++;
    }
    return done;
  }

  private static Object fire(String action) throws Exception {
    final Action a =
      (Action) get(BasicLogger.class, gm.getLogger(), action);
    if (!a.isEnabled()) return "not enabled";
    a.actionPerformed(new ActionEvent(gm, ActionEvent.ACTION_PERFORMED, ""));
    return null;
  }

  // --- looking things up -------------------------------------------------

  private static Map map(String name) {
    return Map.getMapList().stream()
      .filter(m -> name.equals(m.getMapName()))
      .findFirst().orElseThrow();
  }

  /** "123,456" or "Board/Grid location" on a map. */
  private static Point point(String mapName, String where) throws Exception {
    final int slash = where.indexOf('/');
    if (slash < 0) {
      final String[] xy = where.split(",");
      return new Point(Integer.parseInt(xy[0]), Integer.parseInt(xy[1]));
    }
    final Board b = map(mapName).getBoardByName(where.substring(0, slash));
    final Point p = b.getGrid().getLocation(where.substring(slash + 1));
    final Point r = new Point(p);
    r.translate(b.bounds().x, b.bounds().y);
    return r;
  }

  /** The engine's names of points "x,y;x,y;...". */
  private static Object names(Map map, String points) {
    final List<Object> names = new ArrayList<>();
    for (final String xy : points.split(";")) {
      final String[] n = xy.split(",");
      names.add(map.locationName(
        new Point(Integer.parseInt(n[0]), Integer.parseInt(n[1]))));
    }
    return names;
  }

  private static List<GamePiece> ids(String list) {
    final List<GamePiece> l = new ArrayList<>();
    for (final String id : list.split(",")) {
      final GamePiece p = gm.getGameState().getPieceForId(id);
      if (p == null) throw new IllegalArgumentException("no piece " + id);
      l.add(p);
    }
    return l;
  }

  // --- the game's state as the engine sees it ------------------------------

  private static Object state() throws Exception {
    final LinkedHashMap<String, Object> s = new LinkedHashMap<>();
    s.put("side", PlayerRoster.getMySide());
    final List<Object> players = new ArrayList<>();
    for (final PlayerRoster.PlayerInfo p : gm.getPlayerRoster().getPlayers()) {
      players.add(Arrays.asList(p.playerId, p.playerName, p.getSide()));
    }
    s.put("players", players);

    final LinkedHashMap<String, Object> turns = new LinkedHashMap<>();
    for (final TurnTracker t :
         gm.getAllDescendantComponentsOf(TurnTracker.class)) {
      final LinkedHashMap<String, Object> turn = new LinkedHashMap<>();
      turn.put("state", t.getState());
      turn.put("text", call(TurnTracker.class, t, "getTurnString"));
      turn.put("value", gm.getProperty(t.getConfigureName() + "_value"));
      for (final String level : List.of("GameTurn", "TurnPhase")) {
        turn.put(level, gm.getProperty(level));
      }
      turns.put(t.getConfigureName(), turn);
    }
    s.put("turn", turns);

    final LinkedHashMap<String, Object> props = new LinkedHashMap<>();
    for (final GlobalProperty p :
         gm.getAllDescendantComponentsOf(GlobalProperty.class)) {
      props.put(p.getConfigureName(), gm.getProperty(p.getConfigureName()));
    }
    for (final DiceButton die :
         gm.getAllDescendantComponentsOf(DiceButton.class)) {
      final String roll = die.getConfigureName() + "_result";
      props.put(roll, gm.getProperty(roll));
    }
    s.put("properties", props);

    final BasicLogger logger = (BasicLogger) gm.getLogger();
    s.put("logging", logger.isLogging());
    s.put("replaying", logger.isReplaying());
    s.put("logSize", logSize());

    final List<GamePiece> all =
      new ArrayList<>(gm.getGameState().getAllPieces());
    all.sort(Comparator.comparing(GamePiece::getId));
    final List<Object> pieces = new ArrayList<>();
    for (final GamePiece p : all) pieces.add(describe(p));
    s.put("pieces", pieces);
    return s;
  }

  private static int logSize() throws Exception {
    return ((List<?>) get(BasicLogger.class, gm.getLogger(), "logOutput"))
      .size();
  }

  private static Object describe(GamePiece p) {
    final LinkedHashMap<String, Object> d = new LinkedHashMap<>();
    d.put("id", p.getId());
    d.put("kind", p instanceof Deck ? "deck"
                : p instanceof Stack ? "stack" : "piece");
    final Map map = p.getMap();
    d.put("map", map == null ? null : map.getMapName());
    d.put("x", p.getPosition().x);
    d.put("y", p.getPosition().y);
    if (p instanceof Stack) {
      final List<Object> members = new ArrayList<>();
      ((Stack) p).asList().forEach(m -> members.add(m.getId()));
      d.put("members", members);
      if (p instanceof Deck) d.put("name", ((Deck) p).getDeckName());
      if (map != null) d.put("location", map.locationName(p.getPosition()));
      return d;
    }
    d.put("name", p.getName());
    d.put("basicName", p.getProperty(BasicPiece.BASIC_NAME));
    d.put("location", p.getProperty(BasicPiece.LOCATION_NAME));
    d.put("board", p.getProperty(BasicPiece.CURRENT_BOARD));
    d.put("zone", p.getProperty(BasicPiece.CURRENT_ZONE));
    d.put("parent", p.getParent() == null ? null : p.getParent().getId());
    d.put("index", p.getParent() == null ? null : p.getParent().indexOf(p));
    d.put("gpid", p.getProperty(Properties.PIECE_ID));
    d.put("oldLocation", p.getProperty(BasicPiece.OLD_LOCATION_NAME));

    final LinkedHashMap<String, Object> layers = new LinkedHashMap<>();
    final LinkedHashMap<String, Object> marks = new LinkedHashMap<>();
    final List<Object> traits = new ArrayList<>();
    GamePiece inner = p;
    while (inner instanceof Decorator) {
      final Decorator t = (Decorator) inner;
      final String type = t.myGetType();
      final String id = type.substring(0, type.indexOf(';') + 1);
      traits.add(Arrays.asList(id, t.myGetState()));
      if (t instanceof Embellishment) {
        final Embellishment e = (Embellishment) t;
        final String n = e.getLayerName();
        final LinkedHashMap<String, Object> layer = new LinkedHashMap<>();
        layer.put("level", p.getProperty(n + "_Level"));
        layer.put("active", p.getProperty(n + "_Active"));
        layer.put("name", p.getProperty(n + "_Name"));
        layer.put("image", p.getProperty(n + "_Image"));
        layers.put(n, layer);
      }
      else if (t instanceof FreeRotator) {
        marks.put("Facing_Facing", p.getProperty("Facing_Facing"));
        marks.put("Facing_Degrees", p.getProperty("Facing_Degrees"));
      }
      else if ("mark;".equals(id) || "PROP;".equals(id)) {
        for (final String n : t.getPropertyNames()) {
          marks.put(n, p.getProperty(n));
        }
      }
      inner = t.getInner();
    }
    if (p.getProperty(Properties.MOVED) != null) {
      marks.put("Moved", p.getProperty(Properties.MOVED));
    }
    for (final String n : List.of("TextLabel", "Events")) {
      if (p.getProperty(n) != null) marks.put(n, p.getProperty(n));
    }
    marks.put("ObscuredBy", p.getProperty(Properties.OBSCURED_BY));
    d.put("layers", layers);
    d.put("properties", marks);
    d.put("traits", traits);
    d.put("basicState", inner.getState());
    return d;
  }

  private static Object newChat() throws Exception {
    final JTextPane pane =
      (JTextPane) get(Chatter.class, gm.getChatter(), "conversationPane");
    final Document doc = pane.getDocument();
    final int length = doc.getLength();
    final String text = length > chatSeen
      ? doc.getText(chatSeen, length - chatSeen) : "";
    chatSeen = length;
    final List<Object> lines = new ArrayList<>();
    for (final String l : text.split("\n")) {
      if (!l.isBlank()) lines.add(l.strip());
    }
    return lines;
  }

  /** The whole map as the engine draws it, at its current zoom. */
  private static Object picture(Map map, File png) throws Exception {
    final Rectangle all =
      map.mapToDrawing(new Rectangle(map.mapSize()), 1.0);
    final BufferedImage image = new BufferedImage(
      all.width, all.height, BufferedImage.TYPE_INT_RGB);
    final Graphics2D g = image.createGraphics();
    g.setColor(Color.WHITE);
    g.fillRect(0, 0, all.width, all.height);
    map.paintRegion(g, all, null);
    g.dispose();
    ImageIO.write(image, "png", png);
    return List.of(all.width, all.height);
  }

  private static Object memory() {
    final Runtime r = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) System.gc();
    final LinkedHashMap<String, Object> m = new LinkedHashMap<>();
    m.put("used_mib", (r.totalMemory() - r.freeMemory()) >> 20);
    m.put("committed_mib", r.totalMemory() >> 20);
    return m;
  }

  // --- plumbing --------------------------------------------------------------

  private interface Task<T> {
    T run() throws Exception;
  }

  private static <T> T onEventThread(Task<T> task) throws Exception {
    final Object[] box = new Object[2];
    SwingUtilities.invokeAndWait(() -> {
      try {
        box[0] = task.run();
      }
      catch (Throwable t) {
        box[1] = t;
      }
    });
    if (box[1] != null) throw new RuntimeException((Throwable) box[1]);
    @SuppressWarnings("unchecked") final T result = (T) box[0];
    return result;
  }

  /** Lets what the last command queued on the event thread happen. */
  private static void drain() throws Exception {
    for (int i = 0; i < 3; i++) SwingUtilities.invokeAndWait(() -> { });
  }

  private static Object get(Class<?> c, Object o, String name)
    throws Exception {
    final Field f = c.getDeclaredField(name);
    f.setAccessible(true);
    return f.get(o);
  }

  private static void set(Class<?> c, Object o, String name, Object value)
    throws Exception {
    final Field f = c.getDeclaredField(name);
    f.setAccessible(true);
    f.set(o, value);
  }

  private static Object call(Class<?> c, Object o, String name)
    throws Exception {
    final Method m = c.getDeclaredMethod(name);
    m.setAccessible(true);
    return m.invoke(o);
  }

  private static double seconds(long start) {
    return Math.round((System.nanoTime() - start) / 1e3) / 1e6;
  }

  /** Notes every dialog and closes it, so that none can stop a run. */
  private static void watchDialogs() {
    Toolkit.getDefaultToolkit().addAWTEventListener(e -> {
      if (e.getID() != WindowEvent.WINDOW_OPENED) return;
      final Window w = ((WindowEvent) e).getWindow();
      if (!(w instanceof Dialog) || !((Dialog) w).isModal()) return;
      final StringBuilder text = new StringBuilder(
        String.valueOf(((Dialog) w).getTitle()));
      collect(w, text);
      dialogs.add(text.toString());
      final String reply = answers.poll();
      SwingUtilities.invokeLater(() -> {
        if (reply != null) respond(w, reply);
        w.dispose();
      });
    }, AWTEvent.WINDOW_EVENT_MASK);
  }

  /** Types a text into a dialog and presses its OK. */
  private static void respond(Container c, String text) {
    for (final Component k : c.getComponents()) {
      if (k instanceof JTextField) {
        ((JTextField) k).setText(text);
      }
      else if (k instanceof JButton && "OK".equals(((JButton) k).getText())) {
        ((JButton) k).doClick();
      }
      else if (k instanceof Container) {
        respond((Container) k, text);
      }
    }
  }

  private static void collect(Container c, StringBuilder text) {
    for (final Component k : c.getComponents()) {
      if (k instanceof JLabel && ((JLabel) k).getText() != null) {
        text.append(" | ").append(((JLabel) k).getText());
      }
      else if (k instanceof JEditorPane) {
        try {
          final Document d = ((JEditorPane) k).getDocument();
          text.append(" | ").append(d.getText(0, d.getLength()).strip());
        }
        catch (Exception ignored) {
          // the rest of the dialog is still worth reporting
        }
      }
      else if (k instanceof JTextComponent) {
        text.append(" | ").append(((JTextComponent) k).getText());
      }
      else if (k instanceof AbstractButton) {
        text.append(" [").append(((AbstractButton) k).getText()).append(']');
      }
      if (k instanceof Container) collect((Container) k, text);
    }
  }

  private static final class DriverMenus extends MenuManager {
    private final MenuBarProxy bar = new MenuBarProxy();

    @Override
    public JMenuBar getMenuBarFor(JFrame f) {
      return f instanceof PlayerWindow ? bar.createPeer() : null;
    }

    @Override
    public MenuBarProxy getMenuBarProxyFor(JFrame f) {
      return f instanceof PlayerWindow ? bar : null;
    }
  }

  private static final class QuietWizard extends WizardSupport {
    @Override
    public void showWelcomeWizard() { }

    @Override
    public void showGameSetupWizard() { }
  }

  /** Answers every "which file?" question with the same file. */
  private static final class ScriptedChooser extends FileChooser {
    private File file;

    private ScriptedChooser() {
      super(null, null);
    }

    @Override
    public File getCurrentDirectory() {
      return file == null ? null : file.getParentFile();
    }

    @Override
    public void setCurrentDirectory(File dir) { }

    @Override
    public void rescanCurrentDirectory() { }

    @Override
    public File getSelectedFile() {
      return file;
    }

    @Override
    public void setSelectedFile(File f) {
      file = f;
    }

    @Override
    public String getDialogTitle() {
      return "";
    }

    @Override
    public void setDialogTitle(String title) { }

    @Override
    public int showOpenDialog(Component parent) {
      return file == null ? CANCEL_OPTION : APPROVE_OPTION;
    }

    @Override
    public int showSaveDialog(Component parent) {
      return file == null ? CANCEL_OPTION : APPROVE_OPTION;
    }

    @Override
    public FileFilter getFileFilter() {
      return null;
    }

    @Override
    public void setFileFilter(FileFilter filter) { }

    @Override
    public void addChoosableFileFilter(FileFilter filter) { }

    @Override
    public boolean removeChoosableFileFilter(FileFilter filter) {
      return true;
    }

    @Override
    public void resetChoosableFileFilters() { }
  }

  /** Just enough JSON. */
  private static final class Json {
    static String write(Object o) {
      final StringBuilder b = new StringBuilder();
      append(b, o);
      return b.toString();
    }

    private static void append(StringBuilder b, Object o) {
      if (o == null || o instanceof Boolean || o instanceof Number) {
        b.append(o);
      }
      else if (o instanceof java.util.Map) {
        b.append('{');
        boolean first = true;
        for (final Entry<?, ?> e : ((java.util.Map<?, ?>) o).entrySet()) {
          if (!first) b.append(',');
          first = false;
          append(b, String.valueOf(e.getKey()));
          b.append(':');
          append(b, e.getValue());
        }
        b.append('}');
      }
      else if (o instanceof Iterable) {
        b.append('[');
        boolean first = true;
        for (final Object e : (Iterable<?>) o) {
          if (!first) b.append(',');
          first = false;
          append(b, e);
        }
        b.append(']');
      }
      else {
        b.append('"');
        for (final char c : String.valueOf(o).toCharArray()) {
          if (c == '"' || c == '\\') b.append('\\').append(c);
          else if (c < ' ' || c > '~') b.append(String.format("\\u%04x", (int) c));
          else b.append(c);
        }
        b.append('"');
      }
    }
  }
}
