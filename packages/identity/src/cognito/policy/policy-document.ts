/**
 * A policy in the language of AWS IAM ("IAM JSON policy elements reference"), parsed. Elements that the document may
 * write as one value or a list are lists here.
 */
export interface Policy {
  /** Policy variables are replaced only in version 2012-10-17. */
  readonly hasVariables: boolean;
  readonly statements: readonly Statement[];
}

export interface Statement {
  readonly sid: string | undefined;
  readonly effect: 'Allow' | 'Deny';
  readonly actions: ElementPatterns;
  /** Undefined in a trust policy: the resource is the role that carries it. */
  readonly resources: ElementPatterns | undefined;
  /** Undefined in an identity policy, whose principal is its owner. */
  readonly principals: readonly string[] | undefined;
  readonly conditions: readonly Condition[];
}

/** `Action` or, negated, `NotAction`; the same for resources. */
export interface ElementPatterns {
  readonly isNegated: boolean;
  readonly patterns: readonly string[];
}

export interface Condition {
  readonly operator: ConditionOperator;
  /** Lower case: context keys do not differ by case. */
  readonly key: string;
  readonly values: readonly string[];
  /** `…IfExists`: a key that the request does not have satisfies the condition. */
  readonly isIfExists: boolean;
  /** How a key with several values counts. */
  readonly quantifier: 'ForAllValues' | 'ForAnyValue' | undefined;
}

export const conditionOperators = [
  'StringEquals',
  'StringNotEquals',
  'StringEqualsIgnoreCase',
  'StringNotEqualsIgnoreCase',
  'StringLike',
  'StringNotLike',
  'NumericEquals',
  'NumericNotEquals',
  'NumericLessThan',
  'NumericLessThanEquals',
  'NumericGreaterThan',
  'NumericGreaterThanEquals',
  'DateEquals',
  'DateNotEquals',
  'DateLessThan',
  'DateLessThanEquals',
  'DateGreaterThan',
  'DateGreaterThanEquals',
  'Bool',
  'BinaryEquals',
  'IpAddress',
  'NotIpAddress',
  'ArnEquals',
  'ArnLike',
  'ArnNotEquals',
  'ArnNotLike',
  'Null',
] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

/** Known values of a request, by context key such as `aws:SourceIp`. */
export type PolicyContext = Readonly<Record<string, string | readonly string[] | undefined>>;
