import { POLICY_PATH } from '@deviceportal/contract/constants';
import { liveTopic, watchTopic } from '@deviceportal/contract/live-topics';
import { evaluatePolicy } from '@deviceportal/identity/evaluate-policy';
import { parsePolicy } from '@deviceportal/identity/parse-policy';

/** The path of the policy among those of an account, and its name. */
export const VIEWER_POLICY = `${POLICY_PATH}live-channel`;

/** The actions that the data plane of AWS IoT checks against a policy. */
type LiveAction = 'iot:Connect' | 'iot:Publish' | 'iot:Subscribe' | 'iot:Receive';

const RESOURCES = 'arn:aws:iot:*:*:';
const IDENTITY = '${cognito-identity.amazonaws.com:sub}';
const signedIn = {
  StringEquals: { 'cognito-identity.amazonaws.com:amr': 'authenticated' },
};

const allow = (sid: string, action: LiveAction, resource: string | readonly string[]) => ({
  Sid: sid,
  Effect: 'Allow',
  Action: action,
  Resource: resource,
  Condition: signedIn,
});

/**
 * Everything that a viewer may do on the live channel: connect under client ids of its own, publish its interests on
 * its own topic, and subscribe to its other topic. Guests may do nothing. The embedded broker evaluates this document
 * at each connect, subscribe, publish, and delivery; AWS IoT accepts it unchanged.
 */
export const viewerPolicyDocument = {
  Version: '2012-10-17',
  Statement: [
    allow('ConnectAsOneself', 'iot:Connect', [
      `${RESOURCES}client/${IDENTITY}`,
      `${RESOURCES}client/${IDENTITY}.*`,
    ]),
    allow('SayWhatIsWatched', 'iot:Publish', `${RESOURCES}topic/${watchTopic(IDENTITY)}`),
    allow('AskForOwnNews', 'iot:Subscribe', `${RESOURCES}topicfilter/${liveTopic(IDENTITY)}`),
    allow('HearOwnNews', 'iot:Receive', `${RESOURCES}topic/${liveTopic(IDENTITY)}`),
  ],
} as const;

const viewerPolicy = parsePolicy(viewerPolicyDocument);

/** The facts about a viewer's connection that a policy can use. */
export interface ViewerFacts {
  /** `region:uuid` of the identity pool. */
  readonly identityId: string;
  readonly identityPoolId: string;
  /** Whether the credentials belong to a user who signed in. */
  readonly authenticated: boolean;
}

/**
 * What one viewer may do. Resources are given without the prefix of their ARN: `client/…`, `topic/…`,
 * `topicfilter/…`.
 */
export type ViewerRights = (action: LiveAction, resource: string) => boolean;

export function viewerRights({
  identityId,
  identityPoolId,
  authenticated,
}: ViewerFacts): ViewerRights {
  const context = {
    'cognito-identity.amazonaws.com:sub': identityId,
    'cognito-identity.amazonaws.com:aud': identityPoolId,
    'cognito-identity.amazonaws.com:amr': authenticated ? 'authenticated' : 'unauthenticated',
  };
  const region = identityId.split(':', 1)[0] ?? '';
  const arn = (resource: string): string => `arn:aws:iot:${region}:000000000000:${resource}`;
  return (action, resource) =>
    evaluatePolicy([viewerPolicy], { action, resource: arn(resource), context }) === 'allowed';
}
