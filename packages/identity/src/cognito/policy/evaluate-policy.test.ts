import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateIntersection, evaluatePolicy } from './evaluate-policy.ts';
import { MalformedPolicyError, parsePolicy, parseTrustPolicy } from './parse-policy.ts';
import type { PolicyContext } from './policy-document.ts';

const TOPIC = 'arn:aws:iot:us-east-1:000000000000:topic/deviceportal';

function policy(...statements: readonly object[]) {
  return parsePolicy({ Version: '2012-10-17', Statement: statements });
}

function allow(Action: string, Resource: string, Condition?: object) {
  return { Effect: 'Allow', Action, Resource, ...(Condition && { Condition }) };
}

function deny(Action: string, Resource: string, Condition?: object) {
  return { ...allow(Action, Resource, Condition), Effect: 'Deny' };
}

function decide(
  statement: object,
  context: PolicyContext = {},
  resource = `${TOPIC}/x`,
  action = 'iot:Subscribe',
) {
  return evaluatePolicy([policy(statement)], { action, resource, context });
}

describe('evaluatePolicy', () => {
  it('[policy-1] an action without a matching statement is denied', () => {
    expect(decide(allow('iot:Publish', '*'))).toBe('implicitDeny');
    expect(decide(allow('iot:Subscribe', `${TOPIC}/y`))).toBe('implicitDeny');
    expect(evaluatePolicy([], { action: 'iot:Publish', resource: '*' })).toBe('implicitDeny');
  });

  it('one Deny overrides every Allow, regardless of the order', () => {
    const resource = `${TOPIC}/x`;
    const statements = [allow('*', '*'), deny('iot:Sub*', `${TOPIC}/?`), allow('iot:*', '*')];
    fc.assert(
      fc.property(fc.shuffledSubarray(statements, { minLength: 3 }), (order) => {
        const inOne = evaluatePolicy([policy(...order)], { action: 'iot:Subscribe', resource });
        const apart = order.map((statement) => policy(statement));
        expect(inOne).toBe('explicitDeny');
        expect(evaluatePolicy(apart, { action: 'iot:Subscribe', resource })).toBe('explicitDeny');
      }),
    );
  });

  it('actions are case-insensitive, resources are case-sensitive', () => {
    expect(decide(allow('IOT:subscribe', '*'))).toBe('allowed');
    expect(decide(allow('iot:Subscribe', `${TOPIC}/X`))).toBe('implicitDeny');
  });

  it('the value of a variable is literal, so a wildcard in a name matches nothing else', () => {
    const own = allow('iot:Subscribe', `${TOPIC}/\${aws:username}/*`);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (me, other) => {
        const context = { 'aws:username': me };
        expect(decide(own, context, `${TOPIC}/${me}/a`)).toBe('allowed');
        fc.pre(!`${other}/`.startsWith(`${me}/`));
        expect(decide(own, context, `${TOPIC}/${other}/a`)).toBe('implicitDeny');
      }),
    );
  });

  it('a variable without a value allows nothing, also negated', () => {
    expect(decide(allow('iot:Subscribe', `${TOPIC}/\${aws:username}`), {}, `${TOPIC}/`)).toBe(
      'implicitDeny',
    );
    const others = { Effect: 'Allow', Action: '*', NotResource: `${TOPIC}/\${aws:username}` };
    expect(decide(others)).toBe('implicitDeny');
    expect(decide({ ...others, Effect: 'Deny' })).toBe('explicitDeny');
    const notMe = { StringNotEquals: { 'iot:ClientId': '${aws:username}' } };
    expect(decide(allow('*', '*', notMe), { 'iot:ClientId': 'x' })).toBe('implicitDeny');
  });

  it('a variable uses its default when the key is missing', () => {
    const statement = allow('iot:Subscribe', `${TOPIC}/\${aws:PrincipalTag/team, 'all'}`);
    expect(decide(statement, {}, `${TOPIC}/all`)).toBe('allowed');
    expect(decide(statement, { 'aws:principaltag/TEAM': 'x' }, `${TOPIC}/all`)).toBe(
      'implicitDeny',
    );
  });

  it('version 2008-10-17 treats variables as text', () => {
    const old = parsePolicy({ Statement: allow('iot:Subscribe', `${TOPIC}/\${aws:username}`) });
    const request = { action: 'iot:Subscribe', context: { 'aws:username': 'x' } };
    expect(evaluatePolicy([old], { ...request, resource: `${TOPIC}/x` })).toBe('implicitDeny');
    expect(evaluatePolicy([old], { ...request, resource: `${TOPIC}/\${aws:username}` })).toBe(
      'allowed',
    );
  });

  it('NotAction and NotResource match everything else', () => {
    const notSubscribe = { Effect: 'Allow', NotAction: 'iot:Subscribe', Resource: '*' };
    expect(decide(notSubscribe)).toBe('implicitDeny');
    expect(decide(notSubscribe, {}, '*', 'iot:Connect')).toBe('allowed');
    const notTopic = { Effect: 'Allow', Action: '*', NotResource: [`${TOPIC}/x`] };
    expect(decide(notTopic)).toBe('implicitDeny');
    expect(decide(notTopic, {}, `${TOPIC}/y`)).toBe('allowed');
  });

  it('a trust policy allows only the principals that it names', () => {
    const arn = 'arn:aws:iam::000000000000:user/anna';
    const trust = parseTrustPolicy({
      Version: '2012-10-17',
      Statement: { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: arn } },
    });
    const request = { action: 'sts:AssumeRole', resource: '' };
    expect(evaluatePolicy([trust], { ...request, principal: arn })).toBe('allowed');
    expect(evaluatePolicy([trust], { ...request, principal: `${arn}a` })).toBe('implicitDeny');
    expect(evaluatePolicy([trust], request)).toBe('implicitDeny');
  });

  it('hostile patterns are evaluated in bounded time', () => {
    const pattern = `${TOPIC}/${'*a'.repeat(200)}b`;
    const startedAt = performance.now();
    expect(decide(allow('*', pattern), {}, `${TOPIC}/${'a'.repeat(20_000)}`)).toBe('implicitDeny');
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('wildcards match like the equivalent regular expression', () => {
    const symbol = fc.constantFrom('a', 'b', '/', '*', '?', '.');
    const text = fc.array(symbol, { maxLength: 8 }).map((symbols) => symbols.join(''));
    fc.assert(
      fc.property(text, text, (pattern, tail) => {
        const escaped = pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
        const expected = new RegExp(`^${escaped}$`, 's').test(tail) ? 'allowed' : 'implicitDeny';
        expect(decide(allow('*', `arn:${pattern}`), {}, `arn:${tail}`)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('evaluateIntersection', () => {
  const request = { action: 'iot:Publish', resource: `${TOPIC}/x` };
  const everything = policy(allow('*', '*'));

  it('a session policy only reduces permissions', () => {
    const narrow = policy(allow('iot:Publish', '*'));
    expect(evaluateIntersection([[everything], [narrow]], request)).toBe('allowed');
    expect(
      evaluateIntersection([[everything], [narrow]], { ...request, action: 'iot:Connect' }),
    ).toBe('implicitDeny');
    expect(
      evaluateIntersection([[narrow], [everything]], { ...request, action: 'iot:Connect' }),
    ).toBe('implicitDeny');
    expect(evaluateIntersection([[everything], undefined], request)).toBe('allowed');
    expect(evaluateIntersection([[everything], []], request)).toBe('implicitDeny');
    expect(evaluateIntersection([], request)).toBe('implicitDeny');
    const refusing = policy(allow('*', '*'), deny('iot:Publish', '*'));
    expect(evaluateIntersection([[everything], [refusing]], request)).toBe('explicitDeny');
  });
});

describe('conditions', () => {
  const at = '2026-11-20T12:00:00Z';
  const context = {
    'aws:CurrentTime': at,
    'aws:EpochTime': '1795176000',
    'aws:SourceIp': '10.1.2.3',
    'aws:SecureTransport': 'true',
    'aws:username': 'anna',
    'sts:DurationSeconds': '900',
    'deviceportal:Permissions': ['devices:read', 'air-blast:run'],
    'aws:PrincipalArn': 'arn:aws:sts::000000000000:assumed-role/AirBlast/anna',
  };
  const holds = (operator: string, key: string, value: string | readonly string[]) =>
    decide(allow('*', '*', { [operator]: { [key]: value } }), context) === 'allowed';

  it.each([
    ['StringEquals', 'aws:USERNAME', 'anna', true],
    ['StringEquals', 'aws:username', ['bert', 'anna'], true],
    ['StringEquals', 'aws:username', 'Anna', false],
    ['StringEquals', 'aws:missing', 'x', false],
    ['StringEqualsIfExists', 'aws:missing', 'x', true],
    ['StringEqualsIfExists', 'aws:username', 'x', false],
    ['StringEqualsIgnoreCase', 'aws:username', 'ANNA', true],
    ['StringNotEquals', 'aws:username', ['bert', 'anna'], false],
    ['StringNotEquals', 'aws:username', 'bert', true],
    ['StringNotEquals', 'aws:missing', 'x', true],
    ['StringEquals', 'aws:username', '${aws:username}', true],
    ['StringLike', 'aws:username', 'a??a', true],
    ['StringLike', 'aws:username', 'a?a', false],
    ['StringNotLike', 'aws:username', 'a*', false],
    ['NumericLessThanEquals', 'sts:DurationSeconds', '900', true],
    ['NumericLessThan', 'sts:DurationSeconds', '900', false],
    ['NumericGreaterThan', 'sts:DurationSeconds', '899', true],
    ['NumericNotEquals', 'sts:DurationSeconds', '900', false],
    ['NumericEquals', 'aws:username', '900', false],
    ['DateLessThan', 'aws:CurrentTime', '2026-11-20T12:00:01Z', true],
    ['DateLessThan', 'aws:CurrentTime', at, false],
    ['DateGreaterThanEquals', 'aws:EpochTime', at, true],
    ['DateLessThan', 'aws:CurrentTime', 'tomorrow', false],
    ['DateNotEquals', 'aws:CurrentTime', 'tomorrow', false],
    ['Bool', 'aws:SecureTransport', 'True', true],
    ['IpAddress', 'aws:SourceIp', '10.0.0.0/8', true],
    ['IpAddress', 'aws:SourceIp', ['192.168.0.0/16', '10.1.2.3'], true],
    ['IpAddress', 'aws:SourceIp', '10.0.0.0/16', false],
    ['IpAddress', 'aws:SourceIp', '2001:db8::/32', false],
    ['NotIpAddress', 'aws:SourceIp', '10.0.0.0/8', false],
    ['NotIpAddress', 'aws:SourceIp', 'nonsense', false],
    ['ArnLike', 'aws:PrincipalArn', 'arn:aws:sts::*:assumed-role/AirBlast/*', true],
    ['ArnLike', 'aws:PrincipalArn', 'arn:aws:sts::*/anna', false],
    ['ArnEquals', 'aws:PrincipalArn', 'arn:aws:sts::*:*/${aws:username}', true],
    ['Null', 'aws:missing', 'true', true],
    ['Null', 'aws:username', 'true', false],
    ['ForAnyValue:StringEquals', 'deviceportal:Permissions', 'air-blast:run', true],
    ['ForAnyValue:StringEquals', 'deviceportal:Permissions', 'access:manage', false],
    ['ForAnyValue:StringEquals', 'aws:missing', 'x', false],
    ['ForAllValues:StringLike', 'deviceportal:Permissions', ['devices:*', 'air-blast:*'], true],
    ['ForAllValues:StringLike', 'deviceportal:Permissions', 'devices:*', false],
    ['ForAllValues:StringEquals', 'aws:missing', 'x', true],
  ])('%s %s %j', (operator, key, value, expected) => {
    expect(holds(operator, key, value)).toBe(expected);
  });
});

describe('parsePolicy', () => {
  it.each([
    'no JSON',
    { Statement: [] },
    { Version: '2020-01-01', Statement: allow('*', '*') },
    { Statement: { Effect: 'Maybe', Action: '*', Resource: '*' } },
    { Statement: { Effect: 'Allow', Resource: '*' } },
    { Statement: { Effect: 'Allow', Action: '*' } },
    { Statement: { Effect: 'Allow', Action: '*', NotAction: '*', Resource: '*' } },
    { Statement: { Effect: 'Allow', Action: 'no colon', Resource: '*' } },
    { Statement: { Effect: 'Allow', Action: '*', Resource: 'no arn' } },
    { Statement: { Effect: 'Allow', Action: '*', Resource: '*', Principal: '*' } },
    { Statement: allow('*', '*', { StringEqual: { 'aws:username': 'x' } }) },
    { Statement: allow('*', '*', { 'ForSome:StringEquals': { 'aws:username': 'x' } }) },
    { Statement: { ...allow('*', '*'), Extra: 1 } },
    null,
  ])('rejects an invalid policy: %j', (document) => {
    expect(() => parsePolicy(document)).toThrow(MalformedPolicyError);
  });
});
