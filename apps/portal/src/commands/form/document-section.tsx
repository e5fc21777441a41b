import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { CommandForm } from '@deviceportal/contract/commands';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { ConsequenceBadge } from '../consequence-badge.tsx';
import { DocumentPicker } from './document-picker.tsx';
import { NotRunnable } from './not-runnable.tsx';
import { platformNames } from '../platform-names.ts';
import { useCommandWords } from '../use-command-words.ts';

export interface DocumentSectionProps {
  readonly form: CommandForm;
  readonly pinned: string;
  readonly onDocument: (reference: string) => void;
}

/** The document that will run, with its version, description, and consequence. */
export function DocumentSection({ form, pinned, onDocument }: DocumentSectionProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const words = useCommandWords();
  const { documentName: name, documentVersion: version } = form;
  return (
    <Container header={<Header variant="h2">{t('commands.document.title')}</Header>}>
      <SpaceBetween size="s">
        {form.command === 'document' ? (
          <DocumentPicker reference={pinned} onPick={onDocument} />
        ) : null}
        <div className="dp-command-chip">
          {name === null ? null : (
            <PortalLink href={`/documents/${name}?v=${version}`} fontSize="heading-s">
              {name}
            </PortalLink>
          )}
          <span>{t('commands.document.version', { version })}</span>
          <ConsequenceBadge consequence={form.consequence} />
          {pinned === '' ? null : (
            <Box variant="span" color="text-body-secondary">
              {t('commands.document.pinned')}
            </Box>
          )}
        </div>
        <NotRunnable form={form} />
        {form.command === 'document' ? (
          <Box>{words.document({ name: name ?? '', description: form.description })}</Box>
        ) : null}
        <Box color="text-body-secondary" fontSize="body-s">
          {[
            t('commands.document.platforms', {
              platforms: format.list(platformNames(form.platforms)) || '-',
            }),
            form.typicalDurationMs === null
              ? t('commands.document.noHistory')
              : t('commands.document.typical', {
                  duration: format.duration(form.typicalDurationMs),
                }),
          ].join(' · ')}
        </Box>
        <Phases phases={form.phases} />
      </SpaceBetween>
    </Container>
  );
}

/** Whether the document has a pre-check, verification, and undo. Renders nothing otherwise. */
function Phases({ phases }: Pick<CommandForm, 'phases'>): ReactNode {
  const t = useT();
  const format = useFormat();
  const words = (['preCheck', 'verify', 'undo'] as const)
    .filter((phase) => phases[phase] > 0)
    .map((phase) => t(`commands.phases.${phase}.promise`, { count: phases[phase] }));
  if (words.length === 0) return null;
  return <Box>{format.sentences(words)}</Box>;
}
