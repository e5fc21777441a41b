import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callMoto } from '../../../../packages/aws/tests/parts/call-moto.ts';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { startMoto } from '../../../../packages/aws/tests/parts/start-moto.ts';
import type { RunningPart } from '../../../../packages/aws/tests/parts/start-part.ts';
import { createFileParameters } from '../../src/platform/parameters/file-parameters.ts';
import { openNamedSettings } from '../../src/platform/parameters/named-settings.ts';
import type { ParameterPort } from '../../src/platform/parameters/parameter-port.ts';
import { openSsmParameters } from '../../src/platform/parameters/ssm-parameters.ts';
import { StartError } from '../../src/platform/process/start-error.ts';
import { until } from '../support/gateway-fixture.ts';

const MINUTES = 'DevicePortalSessionDurationMinutes';
const COUNTRIES = 'DevicePortalSupportedCountriesParameter';
const defaults = { sessionDurationMinutes: 720, supportedCountries: ['DE'] };

interface Store {
  readonly parameters: ParameterPort;
  set(values: Readonly<Record<string, string>>): Promise<void>;
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'named-settings-'));
});
afterAll(() => rm(folder, { recursive: true }));

const warnings: string[] = [];
const open = ({ parameters }: Pick<Store, 'parameters'>) =>
  openNamedSettings({
    parameters,
    defaults,
    everyMs: 20,
    logger: {
      info: () => {},
      warn: ({ err }: { readonly err: Error }) => void warnings.push(err.message),
    },
  });

function followsStore(openStore: () => Promise<Store>): void {
  it('[named-settings-1] values come from the store by their exact names, and change without a restart', async () => {
    const store = await openStore();
    await using opened = await open(store);
    const { named } = opened;
    expect({ ...named }).toEqual(defaults);
    await store.set({ [MINUTES]: '30', [COUNTRIES]: 'FR, PL' });
    await until(() => named.sessionDurationMinutes === 30 && named.supportedCountries.length === 2);
    expect({ ...named }).toEqual({
      sessionDurationMinutes: 30,
      supportedCountries: ['FR', 'PL'],
    });
  });

  it('[named-settings-2] a value that is not valid is left out, and stops a start', async () => {
    const store = await openStore();
    await store.set({ [MINUTES]: '60', [COUNTRIES]: 'FR' });
    await using opened = await open(store);
    warnings.length = 0;
    await store.set({ [MINUTES]: '0', [COUNTRIES]: 'PL' });
    await until(() => warnings.length > 0);
    expect({ ...opened.named }).toEqual({
      sessionDurationMinutes: 60,
      supportedCountries: ['FR'],
    });
    const failure = await open(store).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(String(failure)).toBe(
      `StartError: ${MINUTES} in the parameter store must be an integer from 1 to 525600.`,
    );
  });
}

describe('named settings in a file', () => {
  let count = 0;
  followsStore(async () => {
    count += 1;
    const path = join(folder, `${count}.json`);
    return {
      parameters: createFileParameters(path),
      set: (values) => writeFile(path, JSON.stringify(values)),
    };
  });
});

describe.skipIf(lacks('moto'))('named settings in the Parameter Store', () => {
  const parts: RunningPart[] = [];
  afterAll(() => Promise.all(parts.map((part) => part[Symbol.asyncDispose]())));

  async function openStore(): Promise<Store> {
    const moto = await startMoto();
    parts.push(moto);
    return {
      parameters: await openSsmParameters(moto),
      async set(values) {
        for (const [Name, Value] of Object.entries(values)) {
          const input = { Name, Value, Type: 'String', Overwrite: true };
          await callMoto(moto, 'ssm', 'AmazonSSM.PutParameter', input);
        }
      },
    };
  }
  followsStore(openStore);

  it('[named-settings-3] the last values stay while the store is away, and a start without it stops', async () => {
    const store = await openStore();
    await store.set({ [MINUTES]: '45' });
    await using opened = await open(store);
    warnings.length = 0;
    await parts.at(-1)?.kill();
    await until(() => warnings.length > 0);
    expect(opened.named.sessionDurationMinutes).toBe(45);
    const failure = await open(store).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(String(failure)).toContain(
      'The parameter store (DEVICEPORTAL_PARAMETER_STORE) cannot be read: SSM answered',
    );
  });
});
