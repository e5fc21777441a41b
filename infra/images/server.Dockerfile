# The image of deploy/compose/Dockerfile, built with PACKAGES=aws, and what is only needed on AWS.
ARG BASE
FROM ${BASE}
# AWS China has its own bundle: https://rds-truststore.s3.cn-north-1.amazonaws.com.cn/global/global-bundle.pem
ARG RDS_AUTHORITIES=https://truststore.pki.rds.amazonaws.com/global/global-bundle.pem
ADD --chmod=644 ${RDS_AUTHORITIES} /opt/deviceportal/rds-authorities.pem
COPY create-database-role.mjs /opt/deviceportal/create-database-role.mjs
