/**
 * MQTT topics of the live channel. A viewer can publish only to its own `watch` topic and subscribe
 * only to its own `live` topic. Viewers are identified by their identity ID (`region:uuid`) from
 * the identity pool, so that a policy can grant the topics with the variable
 * `${cognito-identity.amazonaws.com:sub}`. The MQTT client ID is the identity ID, a dot, and a
 * suffix per connection.
 */

export const VIEWERS_TOPIC = 'deviceportal/viewers';

export const liveTopic = (viewerId: string): string => `${VIEWERS_TOPIC}/${viewerId}/live`;
export const watchTopic = (viewerId: string): string => `${VIEWERS_TOPIC}/${viewerId}/watch`;
