import type { Composition } from './composition.ts';
import { advanceErasures } from '../personal-data/erase/advance-erasures.ts';
import { resumeHeldErasures } from '../personal-data/erase/resume-held-erasures.ts';
import { ErasingNames } from '../personal-data/erase/erasing-names.ts';
import { personalKeysOf } from '../personal-data/keys/personal-keys-of.ts';
import { keepErasureRegister } from '../personal-data/register/keep-erasure-register.ts';
import { repeat } from '../platform/process/repeat.ts';

const REGISTER_EVERY_MS = 3_600_000;
/** How long another server can show a name that is being erased if the notification is lost. */
const NAMES_EVERY_MS = 2_000;
const ERASE_EVERY_MS = 1_000;
/** Polling interval for erasures whose legal hold has ended. */
const RESUME_EVERY_MS = 5_000;
/** Stopping waits for one round. */
const ERASE_LIMIT_MS = 3_000;

export interface PersonalDataParts {
  readonly erasingNames: ErasingNames;
  readonly keepRegister: () => Promise<void>;
}

/**
 * Keeps erased people erased. Before the server answers, people in the register whom the database contains again, as
 * after a restore with another tool, are erased again. Keys that another server destroyed are dropped from memory. The
 * worker erases what is left of people whose erasure has begun.
 */
export async function composePersonalData({
  platform,
  resources,
  secrets,
  announce,
}: Composition): Promise<PersonalDataParts> {
  const { database, changes, logger, config } = platform;
  const keep = () => keepErasureRegister({ database, secrets });
  const keepRegister = async (): Promise<void> => void (await keep());
  const people = await keep();
  if (people.length > 0) announce(`${people.length} erased people were erased again.`);
  const erasingNames = new ErasingNames(database);
  await erasingNames.refresh();
  const warn = (text: string) => (error: unknown) => logger.warn({ err: error }, text);
  const refresh = () => erasingNames.refresh();
  const notRead = warn('the names of people who are being erased were not read');
  resources.use(repeat(refresh, { everyMs: NAMES_EVERY_MS, onError: notRead }));
  resources.use(
    changes.subscribe((change) => {
      if (change.kind !== 'person-erased') return;
      personalKeysOf(database.orm).drop(change.people);
      refresh().catch(notRead);
    }),
  );
  if (!config.roles.has('worker')) return { erasingNames, keepRegister };
  const onError = warn('a batch of an erasure failed, and is tried again');
  const { userReports: userReportFiles, exports: exportFiles } = platform.files;
  const deps = { database, changes, keepRegister, userReportFiles, exportFiles };
  const advance = () => advanceErasures(deps, { limitMs: ERASE_LIMIT_MS, onError });
  resources.use(repeat(advance, { everyMs: ERASE_EVERY_MS, onError }));
  const resume = () => resumeHeldErasures({ ...deps, erasingNames });
  resources.use(repeat(resume, { everyMs: RESUME_EVERY_MS, onError }));
  resources.use(
    repeat(keepRegister, {
      everyMs: REGISTER_EVERY_MS,
      onError: warn('the register of erased people was not kept'),
    }),
  );
  return { erasingNames, keepRegister };
}
