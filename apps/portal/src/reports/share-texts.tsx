import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import type { ReactNode } from 'react';
import type { SharePreview } from '@deviceportal/contract/reports';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';

export interface ShareTextsProps {
  readonly preview: SharePreview;
  readonly allowed: readonly string[];
  readonly onAllowed: (ids: string[]) => void;
}

/** The free texts of a report. The sender includes or excludes each of them. */
export function ShareTexts({ preview, allowed, onAllowed }: ShareTextsProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const { texts, textsTotal, textsLeftOut } = preview;
  if (textsTotal === 0) return null;
  const beyond = textsTotal - texts.length - textsLeftOut;
  return (
    <ExpandableSection
      headerText={t('reports.share.texts', { count: textsTotal })}
      headerDescription={t('reports.share.texts.about')}
    >
      <ul className="dp-share-texts">
        {texts.map(({ id, kind, title, at, text, isCut }) => (
          <li key={id}>
            <Box color="text-body-secondary" fontSize="body-s">
              {[
                t(`reports.share.texts.${kind}`),
                title,
                at === null ? '' : format.absolute(Date.parse(at)),
                isCut ? t('reports.share.texts.cut') : '',
              ]
                .filter(Boolean)
                .join(' · ')}
            </Box>
            <pre>{text}</pre>
            <Checkbox
              checked={allowed.includes(id)}
              ariaLabel={`${t('reports.share.texts.show')}: ${text.slice(0, 80)}`}
              onChange={({ detail }) =>
                onAllowed(detail.checked ? [...allowed, id] : allowed.filter((one) => one !== id))
              }
            >
              {t('reports.share.texts.show')}
            </Checkbox>
          </li>
        ))}
      </ul>
      {textsLeftOut > 0 ? (
        <Box>{t('reports.share.texts.not-searched', { count: textsLeftOut })}</Box>
      ) : null}
      {beyond > 0 ? <Box>{t('reports.share.texts.more', { count: beyond })}</Box> : null}
    </ExpandableSection>
  );
}
