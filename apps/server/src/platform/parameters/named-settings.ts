import { StartError } from '../process/start-error.ts';
import { repeat } from '../process/repeat.ts';
import type { Logger } from '../logging.ts';
import { settings } from '../config/settings.ts';
import { InvalidValue } from '../config/setting.ts';
import { ParameterStoreError, type ParameterPort } from './parameter-port.ts';

/** Settings that the parameter store can change while the server runs: read them at each use. */
export interface NamedSettings {
  readonly sessionDurationMinutes: number;
  /** ISO 3166-1 alpha-2; empty: all countries are supported. */
  readonly supportedCountries: readonly string[];
}

/** The names are fixed by docs/design/portal.md, section 6. */
const names = {
  sessionDurationMinutes: 'DevicePortalSessionDurationMinutes',
  supportedCountries: 'DevicePortalSupportedCountriesParameter',
} as const;
const EVERY_MS = 60_000;

export interface NamedSettingsOptions {
  readonly parameters: ParameterPort;
  /** Values of parameters that do not exist. */
  readonly defaults: NamedSettings;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly everyMs?: number;
}

/**
 * Reads the named settings, and again every minute. If the store is unavailable or a value is not
 * valid, the last values stay.
 *
 * @throws StartError if that is so at the start
 */
export async function openNamedSettings(
  options: NamedSettingsOptions,
): Promise<{ readonly named: NamedSettings } & AsyncDisposable> {
  const { logger, everyMs = EVERY_MS } = options;
  let current = await readNamedSettings(options).catch((error: unknown) => {
    throw asStartError(error);
  });
  const refresh = repeat(
    async () => {
      const read = await readNamedSettings(options);
      if (JSON.stringify(read) === JSON.stringify(current)) return;
      current = read;
      logger.info(read, 'named settings changed');
    },
    {
      everyMs,
      onError: (error) => logger.warn({ err: error }, 'named settings not refreshed'),
    },
  );
  return {
    named: {
      get sessionDurationMinutes() {
        return current.sessionDurationMinutes;
      },
      get supportedCountries() {
        return current.supportedCountries;
      },
    },
    [Symbol.asyncDispose]: () => refresh[Symbol.asyncDispose](),
  };
}

async function readNamedSettings(options: NamedSettingsOptions): Promise<NamedSettings> {
  const { parameters, defaults } = options;
  const wanted = Object.values(names).map((name) => ({ name, version: null }));
  const found = new Map((await parameters.read(wanted)).map(({ name, value }) => [name, value]));
  const parse = <Name extends keyof NamedSettings>(
    setting: Name,
    read: (value: string) => NamedSettings[Name],
  ): NamedSettings[Name] => {
    const value = found.get(names[setting]);
    if (value === undefined) return defaults[setting];
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      throw new InvalidNamedSetting(`${names[setting]} in the parameter store ${error.message}.`);
    }
  };
  return {
    sessionDurationMinutes: parse('sessionDurationMinutes', (value) =>
      settings.sessionDurationMinutes.parse(value),
    ),
    supportedCountries: parse('supportedCountries', (value) =>
      settings.supportedCountries.parse(value),
    ),
  };
}

class InvalidNamedSetting extends Error {}

function asStartError(error: unknown): unknown {
  if (error instanceof InvalidNamedSetting) return new StartError(error.message, { cause: error });
  if (!(error instanceof ParameterStoreError)) return error;
  const line = `The parameter store (DEVICEPORTAL_PARAMETER_STORE) cannot be read: ${error.message}.`;
  return new StartError(line, { cause: error });
}
