FROM haproxy:3.2-bookworm
COPY haproxy.cfg /usr/local/etc/haproxy/haproxy.cfg
