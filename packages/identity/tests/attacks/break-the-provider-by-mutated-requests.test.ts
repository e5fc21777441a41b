import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExchangeAnswer } from '../../../../apps/server/tests/support/exchanges/exchange.ts';
import { heapAfterCollection } from '../../../../apps/server/tests/support/exchanges/heap-after-collection.ts';
import { playMutated } from '../../../../apps/server/tests/support/exchanges/play-exchanges.ts';
import { recordExchanges } from '../../../../apps/server/tests/support/exchanges/record-exchanges.ts';
import { travelProvider } from '../provider/support/journey.ts';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';

const isThorough = process.env['DEVICEPORTAL_TEST_THOROUGH'] === 'true';
const JOURNEYS = isThorough ? 4 : 1;
/** Sign-ins end by what is sent: each journey begins new ones. */
const INPUTS_EACH = isThorough ? 5_000 : 400;
const MIB = 1024 * 1024;

let idp: OpenProvider;
beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
});
afterAll(() => idp[Symbol.asyncDispose]());

function faultOf({ status, text }: ExchangeAnswer): string | null {
  const isFault = status >= 500 || /\n {4}at /.test(text);
  return isFault ? `${status} ${text.slice(0, 300)}` : null;
}

test(
  'mutated requests of real clients do not cause a failure of the provider',
  async () => {
    const port = Number(new URL(idp.host).port);
    const heaps: number[] = [];
    for (let journey = 0; journey < JOURNEYS; journey += 1) {
      const exchanges = await recordExchanges(port, () => travelProvider(idp));
      expect(exchanges.length).toBeGreaterThan(60);
      const faults = await playMutated({ port, exchanges, inputs: INPUTS_EACH, faultOf });
      expect(faults).toEqual([]);
      // Each would be a stack trace in the operator's log.
      expect(idp.failures).toEqual([]);
      heaps.push(heapAfterCollection());
    }
    expect((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)).toBeLessThan(64 * MIB);
    await travelProvider(idp);
  },
  isThorough ? 600_000 : 60_000,
);
