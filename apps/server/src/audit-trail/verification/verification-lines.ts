import type { AuditVerification } from './verify-audit-trail.ts';

/** What was verified, and how. @param own id of the installation's key */
export function verificationLines(found: AuditVerification, own: string): string[] {
  const { verified, blocks, head, keyIds, archived, expired, refused, setBack, holdsKept } = found;
  const others = keyIds.filter((id) => id !== own);
  return [
    `${verified} audit events in ${blocks} blocks match their seals. Head: ${head}`,
    `${verified - archived - expired} of them are in the database, ${archived} in files of archived months, and of ${expired}, deleted at the end of their retention, only the seals are left.`,
    ...(keyIds.includes(own) ? [`Signed by this installation (key ${own}).`] : []),
    ...(others.length > 0
      ? [`Signed by earlier keys of this installation or keys of --keys: ${others.join(', ')}.`]
      : []),
    ...(setBack > 0 ? [`Note: ${setBack} blocks were sealed after a clock was set back.`] : []),
    ...(refused > 0
      ? [
          `Note: ${refused} events were not sealed because of their time. They are listed in audit events of the type audit-trail.events-refused.`,
        ]
      : []),
    ...(holdsKept === true ? ['The block of the checkpoint is in the chain.'] : []),
  ];
}
