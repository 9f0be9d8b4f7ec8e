# The service in one image; compose.yaml runs it beside Postgres. docs/operations.md says more.
FROM node:24-bookworm-slim

WORKDIR /app
RUN mkdir /data && chown node:node /app /data
USER node

# As the launcher does it: what the lockfile names, without install scripts.
COPY --chown=node:node package.json package-lock.json .npmrc ./
RUN npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error && rm -rf /home/node/.npm

COPY --chown=node:node . .
# Shown on every page. A start with another name builds anew, which takes a minute.
ARG SERVICE_NAME="AI Processing Service"
ENV SERVICE_NAME=$SERVICE_NAME NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
# The launcher's own steps, so that a start finds nothing to do: the database client, then the build.
RUN node --input-type=module -e "const { prepare } = await import('./scripts/support/prepare.mjs'); await prepare(process.cwd())" \
 && node --import tsx --input-type=module -e "const { buildIfChanged } = await import('./scripts/support/build-app.ts'); await buildIfChanged()" \
 # What only a later build would read.
 && rm -rf .next/cache

ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data LOG_LEVEL=info
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/v1/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

# No npm in between: SIGTERM reaches the launcher, which stops everything in order.
CMD ["node", "scripts/launch.mjs", "start"]
