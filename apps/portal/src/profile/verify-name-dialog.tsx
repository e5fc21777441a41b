import {
  proveRealName,
  type EnterpriseProof,
  type PersonProof,
} from '@deviceportal/identity-client';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useFlash } from '../ui/flash-store.ts';
import { AccountProblem } from './account-problem.tsx';
import { useAccountAct } from './use-account.ts';

const fieldsOf = {
  P: ['name', 'idCard', 'bankCard'],
  E: ['enterpriseName', 'enterpriseCode', 'legalPersonName'],
} as const;
type Kind = keyof typeof fieldsOf;
type Field = (typeof fieldsOf)[Kind][number];

/** Verifies a real name: of a person by ID and bank card, or of a company. */
export function VerifyNameDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const t = useT();
  const flash = useFlash();
  const [kind, setKind] = useState<Kind>('P');
  const [values, setValues] = useState<Partial<Record<Field, string>>>({});
  const isComplete = fieldsOf[kind].every((field) => (values[field] ?? '').trim() !== '');
  const prove = useAccountAct(proveRealName, () => {
    flash.add({ type: 'success', content: t('profile.realName.proven') });
    onClose();
  });
  return (
    <ConfirmDialog
      title={t('profile.realName.prove')}
      confirmLabel={t('profile.realName.send')}
      busy={prove.isPending}
      disabled={!isComplete}
      error={<AccountProblem error={prove.error} />}
      onConfirm={() => prove.mutate(proofOf(kind, values))}
      onCancel={onClose}
    >
      <SpaceBetween size="m">
        <FormField label={t('profile.realName.kind')}>
          <RadioGroup
            value={kind}
            items={[
              { value: 'P', label: t('profile.realName.type.P') },
              { value: 'E', label: t('profile.realName.type.E') },
            ]}
            onChange={({ detail }) => setKind(detail.value as Kind)}
          />
        </FormField>
        {fieldsOf[kind].map((field) => (
          <FormField key={field} label={t(`profile.realName.${field}`)} stretch>
            <Input
              value={values[field] ?? ''}
              autoComplete={false}
              onChange={({ detail }) => setValues({ ...values, [field]: detail.value })}
            />
          </FormField>
        ))}
      </SpaceBetween>
    </ConfirmDialog>
  );
}

function proofOf(
  kind: Kind,
  values: Readonly<Partial<Record<Field, string>>>,
): PersonProof | EnterpriseProof {
  const of = (field: Field): string => (values[field] ?? '').trim();
  if (kind === 'P')
    return { type: 'P', name: of('name'), idCard: of('idCard'), bankCard: of('bankCard') };
  return {
    type: 'E',
    enterpriseName: of('enterpriseName'),
    enterpriseCode: of('enterpriseCode'),
    legalPersonName: of('legalPersonName'),
  };
}
