/** Trino without its launcher, which is not among the published libraries. */
public final class StartTrino {
  public static void main(String[] options) throws Exception {
    // Compiled with an earlier Java than that of the class.
    Object server = Class.forName("io.trino.server.Server").getConstructor().newInstance();
    server.getClass().getMethod("start", String.class).invoke(server, "test");
  }
}
