import { anchorFaultLines, anchorNoteLines } from '../audit-trail/anchors/anchor-report-lines.ts';
import { checkAnchors } from '../audit-trail/anchors/check-anchors.ts';
import { placeOfBucket } from '../audit-trail/anchors/s3-anchor.ts';
import { readCertificates } from '../audit-trail/anchors/open-anchors.ts';
import { auditKeysOf, auditSignerOf } from '../audit-trail/audit-signer.ts';
import { lastBlock } from '../audit-trail/data/sealing/block-queries.ts';
import { openAnalytics } from '../audit-trail/archive/open-analytics.ts';
import { chainFaultLines } from '../audit-trail/verification/chain-fault-lines.ts';
import { readKeysFile } from '../audit-trail/verification/read-keys-file.ts';
import { requireTrustedCheckpoint } from '../audit-trail/sealing/require-trusted-checkpoint.ts';
import { verificationLines } from '../audit-trail/verification/verification-lines.ts';
import { writeCheckpoint } from '../audit-trail/sealing/write-checkpoint.ts';
import { verifyAuditTrail } from '../audit-trail/verification/verify-audit-trail.ts';
import { openOwnSecrets } from '../installation/open-own-secrets.ts';
import { openUnmigrated } from '../platform/database/open-migrated.ts';
import { openFilePlaces, openFiles } from '../platform/files/open-files.ts';
import { runOperatorCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';

const PROGRESS_EVERY = 250_000;

await runOperatorCommand(
  {
    words: [0, 1],
    line: 'npm run verify-audit -- [CHECKPOINT] [--keys FILE] [--anchors FILE] [--tsa-ca FILE] [--save-checkpoint FILE] [--data-dir .data]',
    options: { keys: 'value', anchors: 'value', 'tsa-ca': 'value', 'save-checkpoint': 'value' },
  },
  async ({ words: [file], options, config, logger, resources }) => {
    const { database } = await openUnmigrated(resources, config, { logger, exclusive: false });
    const secrets = await openOwnSecrets({ database, config });
    const ring = secrets.signingKeys('audit');
    const pinned = await readKeysFile(options.get('keys') ?? config.audit.keysFile);
    const trusted = [...auditKeysOf(ring), ...pinned];
    const kept = file === undefined ? undefined : await requireTrustedCheckpoint(file, trusted);
    let lastReported = 0;
    const found = await verifyAuditTrail(
      {
        database,
        analytics: resources.use(openAnalytics()),
        archive: openFiles(await openFilePlaces(config), config).archive,
        trustedKeys: trusted,
        keptDays: config.retention.auditTrailColdDays,
      },
      {
        kept,
        onProgress: (verified) => {
          if (verified - lastReported < PROGRESS_EVERY) return;
          lastReported = verified;
          process.stderr.write(`Verified ${verified} events …\n`);
        },
      },
    );
    const { anchors } = config.audit;
    const anchorFile = options.get('anchors') ?? anchors.file;
    const tsaCa = options.get('tsa-ca') ?? anchors.tsaCaFile;
    const anchored = await checkAnchors({
      executor: database.orm,
      file: anchorFile,
      bucket: anchors.bucket,
      roots: tsaCa === undefined ? undefined : await readCertificates(tsaCa),
    });
    const places = {
      file: anchorFile,
      bucket: anchors.bucket && placeOfBucket(anchors.bucket),
    };
    const proven = [
      ...verificationLines(found, auditSignerOf(ring).keyId),
      ...anchorNoteLines(anchored, places),
    ].join('\n');
    const faults = [...chainFaultLines(found), ...anchorFaultLines(anchored, places)];
    if (faults.length > 0) throw new StartError([proven, ...faults].join('\n'));
    const checkpoint = options.get('save-checkpoint');
    if (checkpoint === undefined) return proven;
    const block = await lastBlock(database.orm);
    if (block === undefined) throw new StartError('No checkpoint saved. Nothing is sealed yet.');
    await writeCheckpoint(checkpoint, { block, keys: trusted });
    return `${proven}\nCheckpoint saved: ${checkpoint}`;
  },
);
