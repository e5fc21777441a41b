import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import type { CommandForm } from '@deviceportal/contract/commands';
import type { FieldIssue } from '@deviceportal/contract/errors';
import type { Translate } from '../../i18n/use-t.ts';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { useApi } from '../../api/use-api.ts';
import {
  fieldIssuesOf,
  initialFields,
  issuesByParameter,
  mergeFields,
  parametersOf,
  type FieldValues,
} from '../../commands/form/form-model.ts';
import { issueText } from '../../ui/refusals/issue-text.ts';
import { refusalText } from '../../ui/refusals/refusal-text.ts';
import {
  editedFields,
  strategyIssuesOf,
  optionsOf,
  targetOf,
  type PlanFields,
} from './plan-fields.ts';

/** The rollout whose plan is edited, as it was when the form opened. */
export interface EditedPlan {
  readonly id: string;
  readonly revision: number;
  readonly document: string;
  readonly secretParameters: readonly string[];
}

export interface UsePlan {
  readonly first: PlanFields;
  readonly edited: EditedPlan | null;
  readonly onFrozen: (run: AirBlastDetail) => void;
}

/** The state of the plan form: fields, problems, and how it is sent. */
export function usePlan({ first, edited, onFrozen }: UsePlan) {
  const api = useApi();
  const queries = useQueryClient();
  const [fields, setFields] = useState(first);
  const [pressed, setPressed] = useState(0);
  // One idempotency key per form, so that a second press does not create a second rollout.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const command = fields.kind === 'document' ? 'document' : 'software/install';
  const document = fields.kind === 'document' ? fields.document : '';
  const form = useQuery(
    api.commands.getForm.queryOptions(
      { command, document },
      { enabled: fields.kind === 'version' || document !== '', staleTime: 60_000 },
    ),
  );
  const freeze = useMutation({
    mutationFn: async (sent: PlanFields): Promise<AirBlastDetail> => {
      const target = await targetToSend();
      const plan = {
        name: sent.name.trim(),
        reason: sent.reason.trim(),
        change: changeOf(sent, form.data, edited),
        target,
        options: optionsOf(sent.strategy),
      };
      return edited === null
        ? plans.mutateAsync({ ...plan, idempotencyKey })
        : edits.mutateAsync({ ...plan, id: edited.id, revision: edited.revision });
    },
    onSuccess: async (run) => {
      await queries.invalidateQueries(api.airBlast.pathFilter());
      onFrozen(run);
    },
  });
  const plans = useMutation(api.airBlast.plan.mutationOptions());
  const edits = useMutation(api.airBlast.edit.mutationOptions());
  const createList = useMutation(api.devices.createTargetList.mutationOptions());
  const change = (part: Partial<PlanFields>): void => setFields((old) => editedFields(old, part));
  /** Stores typed serial numbers as a list, and keeps its ID in the form. */
  const keepList = async (text: string): Promise<string> => {
    const { id } = await createList.mutateAsync({ text });
    setFields((old) => ({ ...old, devices: { ...old.devices, list: id, text: '' } }));
    return id;
  };
  const targetToSend = async () => {
    const { devices } = fields;
    const isUnsent = devices.mode === 'list' && devices.text.trim() !== '';
    const list = isUnsent ? await keepList(devices.text) : devices.list;
    const target = targetOf({ ...devices, list });
    if (target === null) throw new Error('plan has no target');
    return target;
  };
  const issues = issuesOf(fields, { form: form.data, edited, error: freeze.error });
  return {
    fields,
    change,
    form,
    command,
    document,
    issues,
    pressed,
    keepList: (text: string) => void keepList(text).catch(() => undefined),
    isKeeping: createList.isPending,
    keepError: createList.error,
    busy: freeze.isPending || form.isLoading,
    error: freeze.error,
    /** The error of the server for a component or version that has not changed since. */
    refused: (name: 'component' | 'version', t: Translate): string | undefined => {
      const sent = freeze.variables;
      if (freeze.error === null || sent?.[name] !== fields[name]) return undefined;
      const refused = portalErrorOf(freeze.error);
      const issue = refused.issues.find(({ path }) => path[0] === 'change' && path[1] === name);
      return issue && (refusalText(refused, t) ?? issueText(issue, t));
    },
    submit: () => {
      setPressed((count) => count + 1);
      if (!issues.any && !freeze.isPending) freeze.mutate(fields);
    },
  };
}

export type Plan = ReturnType<typeof usePlan>;

/**
 * Parameter fields of the document, from its defaults, the stored plan, and edits, in this order.
 */
export function parameterFieldsOf(
  form: CommandForm,
  { given, edited }: Pick<PlanFields, 'given' | 'edited'>,
): FieldValues {
  return mergeFields(form.parameters, { ...initialFields(form.parameters, given), ...edited });
}

/** Secret parameters that an edit can omit, because the server has their values. */
function keptSecrets(fields: PlanFields, edited: EditedPlan | null): readonly string[] {
  const isSame = edited !== null && nameOf(fields.document) === nameOf(edited.document);
  return isSame ? edited.secretParameters : [];
}

const nameOf = (reference: string): string => reference.split(':')[0] ?? '';

function changeOf(fields: PlanFields, form: CommandForm | undefined, edited: EditedPlan | null) {
  const { component, version, source, sha256 } = fields;
  if (fields.kind === 'version') {
    return {
      kind: 'version' as const,
      component: component.trim(),
      version: version.trim(),
      source: source.trim(),
      sha256: sha256.trim(),
    };
  }
  const all =
    form === undefined ? {} : parametersOf(form.parameters, parameterFieldsOf(form, fields));
  const kept = keptSecrets(fields, edited);
  const parameters = Object.fromEntries(
    Object.entries(all).filter(([name, value]) => value !== '' || !kept.includes(name)),
  );
  return { kind: 'document' as const, document: fields.document, parameters };
}

interface Checked {
  readonly form: CommandForm | undefined;
  readonly edited: EditedPlan | null;
  readonly error: unknown;
}

function issuesOf(fields: PlanFields, { form, edited, error }: Checked) {
  const { kind, devices } = fields;
  const isVersion = kind === 'version';
  const strategy = strategyIssuesOf(fields.strategy);
  const kept = keptSecrets(fields, edited);
  const found =
    isVersion || form === undefined
      ? new Map<string, FieldIssue>()
      : fieldIssuesOf(form.parameters, parameterFieldsOf(form, fields));
  const parameters = new Map([...found].filter(([name]) => !kept.includes(name)));
  const isUnsent = devices.mode === 'list' && devices.text.trim() !== '';
  const issues = {
    name: fields.name.trim() === '',
    change: isVersion
      ? fields.component.trim() === '' || fields.version.trim() === ''
      : fields.document === '' || form === undefined,
    sha256: isVersion && !/^([0-9a-fA-F]{64})?$/.test(fields.sha256.trim()),
    devices: targetOf(devices) === null && !isUnsent,
  };
  return {
    ...issues,
    parameters,
    refused: error === null ? new Map() : issuesByParameter(portalErrorOf(error).issues),
    strategy,
    any: Object.values(issues).includes(true) || parameters.size > 0 || strategy.size > 0,
  };
}
