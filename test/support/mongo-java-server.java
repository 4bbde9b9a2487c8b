import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.net.InetSocketAddress;

/** A server that speaks MongoDB's protocol and keeps everything in memory, on a port of 127.0.0.1. */
class MongoJavaServer {
    public static void main(String[] args) {
        var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]));
        // One thread for all connections: its answers to findAndModify are live documents, which another thread could
        // change before they are sent.
        new MongoServer(new MemoryBackend()).bind(address, 1, 1);
    }
}
