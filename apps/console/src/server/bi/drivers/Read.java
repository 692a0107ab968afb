import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Prints what the JDBC driver reads: URL USER PASSWORD DATABASE. */
class Read {
  private static Connection connect(String[] given, String password) throws SQLException {
    var place = given[0].replace("http://", "jdbc:clickhouse://") + "/" + given[3];
    return new com.clickhouse.jdbc.Driver().connect(place, properties(given[1], password));
  }

  private static java.util.Properties properties(String user, String password) {
    var properties = new java.util.Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    return properties;
  }

  private static List<String> texts(ResultSet rows, String column) throws SQLException {
    var texts = new ArrayList<String>();
    while (rows.next()) texts.add(rows.getString(column));
    return texts;
  }

  private interface Attempt {
    void run() throws SQLException;
  }

  private static String refusal(Attempt attempt) {
    try {
      attempt.run();
    } catch (SQLException error) {
      return error.getMessage().replaceAll("[\"\\s]+", " ");
    }
    return "none";
  }

  public static void main(String[] given) throws SQLException {
    try (var connection = connect(given, given[2]); var statement = connection.createStatement()) {
      var about = connection.getMetaData();
      about.getDatabaseProductVersion();
      var tables = texts(about.getTables(null, given[3], "%", new String[] {"VIEW"}), "TABLE_NAME");
      var columns = texts(about.getColumns(null, given[3], "level_up", "level"), "COLUMN_NAME");
      if (!columns.equals(List.of("level"))) throw new IllegalStateException(columns.toString());
      var levels = texts(statement.executeQuery("SELECT level FROM level_up ORDER BY level"), "level");
      var dropped = refusal(() -> statement.execute("DROP TABLE level_up"));
      var signedIn = refusal(() -> connect(given, "wrong").createStatement().executeQuery("SELECT 1"));
      System.out.printf(
          "{\"levels\": %s, \"tables\": [\"%s\"], \"dropped\": \"%s\", \"signedIn\": \"%s\"}%n",
          levels, String.join("\", \"", tables), dropped, signedIn);
    }
  }
}
