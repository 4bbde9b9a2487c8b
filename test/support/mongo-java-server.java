import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** A server that speaks MongoDB's protocol and keeps everything in memory, on a port of 127.0.0.1. */
class MongoJavaServer {
    public static void main(String[] args) {
        new MongoServer(new MemoryBackend()).bind("127.0.0.1", Integer.parseInt(args[0]));
    }
}
