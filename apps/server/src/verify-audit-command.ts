import { verifyAuditTrail } from './audit-trail/verify-audit-trail.ts';
import { openUnmigrated } from './platform/open-platform.ts';
import { runOperatorCommand } from './platform/run-command.ts';
import { StartError } from './platform/start-error.ts';

const FAULTS = {
  changed: 'its content is not what was sealed',
  missing: 'the event or its seal is gone',
  unlinked: 'it does not follow from the one before',
} as const;

await runOperatorCommand(
  { words: 0, line: 'npm run verify-audit -- [--data-dir .data]' },
  async ({ config, logger, resources }) => {
    const { database } = await openUnmigrated(resources, config, { logger, exclusive: false });
    const { verified, broken, strays, head } = await verifyAuditTrail({ database });
    const found = `${verified} audit events are as they were sealed. Head: ${head}`;
    const faults: string[] = [];
    if (broken !== null)
      faults.push(`Fault at event ${broken.sequence}: ${FAULTS[broken.reason]}.`);
    if (strays > 0) faults.push(`Fault: ${strays} events have no seal and wait for none.`);
    if (faults.length > 0) throw new StartError([found, ...faults].join('\n'));
    return found;
  },
);
