import { createServer } from 'node:http';

/** The least work that a server can do with an event: read, parse, answer. The reference of gateway.single. */
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    JSON.parse(Buffer.concat(parts).toString());
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 4 });
    response.end('true');
  });
});

server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));
