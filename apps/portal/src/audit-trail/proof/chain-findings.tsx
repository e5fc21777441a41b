import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { AuditAnchorState } from '@deviceportal/contract/audit-trail';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import type { ChainProgress } from './proof-messages.ts';
import type { ChainCheckState } from './use-chain-check.ts';

export interface ChainFindingsProps {
  readonly check: ChainCheckState & { readonly progress: ChainProgress };
}

/** What was verified, and what was not. */
export function ChainFindings({ check }: ChainFindingsProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const fault = check.progress.fault ?? check.end?.fault ?? null;
  const verified = check.end?.verified ?? check.progress.verified;
  const { proven, open } = useFindings(check);
  return (
    <SpaceBetween size="s">
      {fault === null ? null : (
        <Alert type="error" header={t('auditTrail.proof.broken', { sequence: fault.sequence })}>
          {format.sentences([
            t(`auditTrail.proof.fault.${fault.reason}`, { block: fault.block }),
            t('auditTrail.proof.upToThere', { verified }),
          ])}
        </Alert>
      )}
      {fault === null ? (
        <Alert type="success" header={t('auditTrail.proof.holds')}>
          <List items={proven} />
        </Alert>
      ) : null}
      {open.length === 0 ? null : (
        <Alert type="info" header={t('auditTrail.proof.notProven')}>
          <List items={open} />
        </Alert>
      )}
    </SpaceBetween>
  );
}

function useFindings({
  progress,
  withheld,
  end,
  keptDays,
  anchors,
  kept,
  keys,
  start,
}: ChainFindingsProps['check']): {
  readonly proven: readonly string[];
  readonly open: readonly string[];
} {
  const t = useT();
  const format = useFormat();
  const { verified, blocks, readEvents, signaturesChecked, hasVerifiedBlock, setBack } = progress;
  const counts = {
    events: format.number(verified - start),
    blocks: format.number(blocks),
    read: format.number(readEvents),
  };
  const seen = kept === null ? '' : format.absolute(Date.parse(kept.seenAt));
  const anchorWords = ({ target, delivered, waitingSince, late }: AuditAnchorState): string => {
    const place = t(`auditTrail.proof.anchor.${target}`);
    return late && waitingSince !== null
      ? t('auditTrail.proof.anchorLate', {
          place,
          time: format.absolute(Date.parse(waitingSince)),
        })
      : t('auditTrail.proof.anchored', { place, block: format.number(delivered) });
  };
  const proven = [
    t('auditTrail.proof.links', counts),
    readEvents > 0 ? t('auditTrail.proof.contents', counts) : null,
    signaturesChecked
      ? t('auditTrail.proof.signed', { keys: format.list(keys.map(({ id }) => id)) })
      : null,
    end !== null && end.expired > 0
      ? t('auditTrail.proof.expired', { count: end.expired, days: keptDays })
      : null,
    hasVerifiedBlock === true ? t('auditTrail.proof.seenAgain', { time: seen }) : null,
  ];
  const open = [
    withheld ? t('auditTrail.proof.withheld') : null,
    signaturesChecked ? null : t('auditTrail.proof.noSignatures'),
    hasVerifiedBlock === false ? t('auditTrail.proof.notSeenAgain', { time: seen }) : null,
    end !== null && end.undetermined > 0
      ? t('auditTrail.proof.undetermined', { count: end.undetermined })
      : null,
    ...anchors.map((anchor) => anchorWords(anchor)),
    start > 0 ? t('auditTrail.proof.notBefore', { start: format.number(start) }) : null,
    setBack > 0 ? t('auditTrail.proof.setBack', { count: setBack }) : null,
    t('auditTrail.proof.keyIsTheirs'),
  ];
  return { proven: proven.filter(isText), open: open.filter(isText) };
}

const isText = (text: string | null): text is string => text !== null;

function List({ items }: { readonly items: readonly string[] }): ReactNode {
  return (
    <ul className="dp-proof-list">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
