import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** DynamoDB Local on the loopback interface. Its command line only takes a port. */
public final class StartDynamoDbLocal {
  public static void main(String[] options) throws Exception {
    DynamoDBProxyServer proxy = ServerRunner.createServerFromCommandLineArgs(options);
    for (var field : DynamoDBProxyServer.class.getDeclaredFields()) {
      if (field.getType() != Server.class) continue;
      field.setAccessible(true);
      for (Connector connector : ((Server) field.get(proxy)).getConnectors()) {
        ((ServerConnector) connector).setHost("127.0.0.1");
      }
    }
    proxy.start();
    proxy.join();
  }
}
