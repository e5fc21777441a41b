import { repeat } from '../../platform/process/repeat.ts';

const DELIVER_EVERY_MS = 1_000;

/**
 * Delivers every second for as long as the server runs, and without a pause while more is left.
 *
 * @param deliver returns whether more may be left
 */
export function repeatDelivery(
  resources: AsyncDisposableStack,
  deliver: () => Promise<boolean>,
  onError: (error: unknown) => void,
): void {
  let stopping = false;
  const work = async (): Promise<void> => {
    while (!stopping && (await deliver()));
  };
  resources.use(repeat(work, { everyMs: DELIVER_EVERY_MS, onError }));
  resources.defer(() => {
    stopping = true;
  });
}
