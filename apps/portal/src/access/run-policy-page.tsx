import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { RunRule, RunRules } from '@deviceportal/contract/run-rules';
import { useApi } from '../api/use-api.ts';
import { ConsequenceBadge } from '../commands/consequence-badge.tsx';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useFlash } from '../ui/flash-store.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Time } from '../ui/time/time.tsx';
import { AccessGate } from './access-gate.tsx';
import './run-policy.css';
import { useManageDisabledReason } from './use-manage-disabled-reason.ts';

export const Route = createLazyRoute('/uam/run-policy')({ component: RunPolicyPage });

/** The numbers of devices from which runs need an approval or an AirBlast rollout. */
function RunPolicyPage(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(api.commands.getRules.queryOptions());
  return (
    <AccessGate>
      <SpaceBetween size="l">
        <PageHeader
          title={t('app.nav.runPolicy')}
          description={t('access.runPolicy.description')}
        />
        {query.isError ? (
          <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
        ) : query.data === undefined ? (
          <Spinner size="large" />
        ) : (
          <Policy key={query.data.changed?.at ?? ''} policy={query.data} />
        )}
      </SpaceBetween>
    </AccessGate>
  );
}

const fields = ['approvalFrom', 'airBlastFrom'] as const;
type Field = (typeof fields)[number];
type Typed = Pick<RunRule, 'consequence'> & Readonly<Record<Field, string>>;

const typedOf = ({ consequence, approvalFrom, airBlastFrom }: RunRule): Typed => ({
  consequence,
  approvalFrom: approvalFrom === null ? '' : String(approvalFrom),
  airBlastFrom: airBlastFrom === null ? '' : String(airBlastFrom),
});
const isNumber = (text: string): boolean => text === '' || /^[1-9]\d{0,6}$/.test(text);
const numberOf = (text: string): number | null => (text === '' ? null : Number(text));

function Policy({ policy }: { readonly policy: RunRules }): ReactNode {
  const t = useT();
  const reason = useManageDisabledReason();
  const [rules, setRules] = useState(() => policy.rules.map(typedOf));
  const save = useSave();
  const isValid = rules.every((rule) => fields.every((field) => isNumber(rule[field])));
  const change = (at: number, field: Field, value: string): void =>
    setRules((old) =>
      old.map((rule, index) => (index === at ? { ...rule, [field]: value } : rule)),
    );
  return (
    <Container>
      <SpaceBetween size="l">
        {rules.map((rule, at) => (
          <Rule
            key={rule.consequence}
            rule={rule}
            readOnly={reason !== undefined}
            onChange={(field, value) => change(at, field, value)}
          />
        ))}
        <Box color="text-body-secondary">{t('access.runPolicy.hint')}</Box>
        {save.error === null ? null : <ErrorView error={save.error} place="alert" />}
        <SpaceBetween direction="horizontal" size="m" alignItems="center">
          <Button
            variant="primary"
            loading={save.isPending}
            disabled={reason !== undefined || !isValid}
            disabledReason={reason ?? t('access.runPolicy.invalid')}
            onClick={() =>
              save.mutate({
                rules: rules.map(({ consequence, approvalFrom, airBlastFrom }) => ({
                  consequence,
                  approvalFrom: numberOf(approvalFrom),
                  airBlastFrom: numberOf(airBlastFrom),
                })),
              })
            }
          >
            {t('access.runPolicy.save')}
          </Button>
          <Changed changed={policy.changed} />
        </SpaceBetween>
      </SpaceBetween>
    </Container>
  );
}

function useSave() {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  return useMutation(
    api.commands.saveRules.mutationOptions({
      onSuccess: () => {
        flash.add({ type: 'success', content: t('access.runPolicy.saved'), dismissible: true });
        return queryClient.invalidateQueries(api.commands.pathFilter());
      },
    }),
  );
}

function Rule({
  rule,
  readOnly,
  onChange,
}: {
  readonly rule: Typed;
  readonly readOnly: boolean;
  readonly onChange: (field: Field, value: string) => void;
}): ReactNode {
  const t = useT();
  return (
    <div className="dp-run-policy-rule">
      <div>
        <ConsequenceBadge consequence={rule.consequence} />
      </div>
      {fields.map((field) => (
        <FormField
          key={field}
          label={t(`access.runPolicy.${field}`)}
          errorText={isNumber(rule[field]) ? undefined : t('access.runPolicy.invalid')}
        >
          <Input
            value={rule[field]}
            inputMode="numeric"
            readOnly={readOnly}
            placeholder={t('access.runPolicy.none')}
            ariaLabel={t('access.runPolicy.fieldOf', {
              label: t(`access.runPolicy.${field}`),
              class: t(`commands.consequence.${rule.consequence}`),
            })}
            onChange={({ detail }) => onChange(field, detail.value.trim())}
          />
        </FormField>
      ))}
    </div>
  );
}

function Changed({ changed }: { readonly changed: RunRules['changed'] }): ReactNode {
  const t = useT();
  return (
    <Box color="text-body-secondary" fontSize="body-s">
      {changed === null ? (
        t('access.runPolicy.defaults')
      ) : (
        <>
          {t('access.runPolicy.changed', { by: changed.by })} <Time at={changed.at} />
        </>
      )}
    </Box>
  );
}
