/** What a helper process of the benchmark is asked, and what it answers: a number of devices or messages. */
export interface HelperRequest<Order> {
  readonly id: number;
  readonly order: Order;
}

export type HelperAnswer =
  | { readonly id: number; readonly count: number }
  | { readonly id: number; readonly error: string };

/** Answers requests of the benchmark until it disconnects. */
export function answerRequests<Order>(answer: (order: Order) => Promise<number>): void {
  const send = (message: HelperAnswer): void => void process.send?.(message);
  process.on('message', ({ id, order }: HelperRequest<Order>) => {
    answer(order).then(
      (count) => send({ id, count }),
      (error: unknown) => send({ id, error: String(error) }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}
