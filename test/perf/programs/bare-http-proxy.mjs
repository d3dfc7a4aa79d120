// The least a program between client and server can do over HTTP. Usage: node bare-http-proxy.mjs --url URL
import { Agent, createServer, request } from "node:http";

const target = new URL(process.argv[process.argv.indexOf("--url") + 1]);
const agent = new Agent({ keepAlive: true });

const server = createServer((req, res) => {
  const { method, url: path, headers } = req;
  const onward = request(
    { host: target.hostname, port: target.port, method, path, headers, agent },
    (answer) => {
      res.writeHead(answer.statusCode, answer.headers);
      answer.pipe(res);
    },
  );
  onward.on("error", (error) => res.destroy(error));
  req.pipe(onward);
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}${target.pathname}` })}\n`,
  );
});
