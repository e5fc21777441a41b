/**
 * MQTT topics of the live channel: a viewer may publish only its own `watch` and subscribe only to its own `live`.
 * A viewer is named by its identity id (`region:uuid`) as the identity pool gave it, so that a policy can grant the
 * topics by the variable `${cognito-identity.amazonaws.com:sub}`. The MQTT client id is the identity id, a dot, and
 * whatever tells its connections apart.
 */

export const VIEWERS_TOPIC = 'deviceportal/viewers';

export const liveTopic = (viewerId: string): string => `${VIEWERS_TOPIC}/${viewerId}/live`;
export const watchTopic = (viewerId: string): string => `${VIEWERS_TOPIC}/${viewerId}/watch`;
