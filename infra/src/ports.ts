/** Of every server. */
export const HTTP_PORT = 8080;
/** MQTT over TLS of the embedded broker, and of the public load balancer. */
export const DEVICE_PORT = 8883;
/** Of HAProxy, with the PROXY protocol, and of its health. */
export const BALANCER_PORT = 8443;
export const BALANCER_HEALTH_PORT = 8404;
export const DATABASE_PORT = 5432;
