/** In a process of its own: does what its parent orders in the first message, reports over IPC, and ends. */
export function takeOrder<Order, Report>(work: (order: Order) => Promise<Report>): void {
  process.once('message', (order: Order) => {
    work(order).then(
      (report) => process.send?.(report, () => process.exit(0)),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
