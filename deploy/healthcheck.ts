/** Docker's health check, run inside the container: fails unless the process reports that it is ready. */
const port = process.env['METRICS_PORT'] ?? process.env['PORT'] ?? '9080';
const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2_500) });
if (!answer.ok) throw new Error(`not ready: ${answer.status} ${await answer.text()}`);
