import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { RoleDraft } from '../access/roles/role-draft.ts';
import { ScopeFields } from '../access/roles/scope-fields.tsx';
import { useT } from '../i18n/use-t.ts';
import { HeldPermissions } from './held-permissions.tsx';

export interface TokenGrantFieldsProps {
  readonly draft: RoleDraft;
  readonly onChange: (part: Partial<RoleDraft>) => void;
}

/** What a personal token may do, and on which devices. */
export function TokenGrantFields({ draft, onChange }: TokenGrantFieldsProps): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="l">
      <HeldPermissions
        chosen={draft.permissions}
        onChange={(permissions) => onChange({ permissions })}
      />
      <ExpandableSection
        headerText={t('apiTokens.scope')}
        headerDescription={t('apiTokens.scopeHint')}
      >
        <ScopeFields draft={draft} onChange={onChange} />
      </ExpandableSection>
    </SpaceBetween>
  );
}
