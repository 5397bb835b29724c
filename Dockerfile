# The browser game. Build: docker build -t dicemasters .   Run: docker run -p 8000:8000 -v games:/data dicemasters
FROM python:3.13-slim AS build
WORKDIR /build
COPY . .
RUN pip install --no-cache-dir --require-hashes --requirement requirements.lock
RUN pip wheel --no-cache-dir --no-build-isolation --no-deps --wheel-dir /wheels .
RUN sed -n 's/^\([a-z][^ ]*==[^\\]*\).*/\1/p' requirements.lock > /wheels/versions.txt

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --constraint /wheels/versions.txt "$(echo /wheels/*.whl)[server]" && rm -r /wheels
RUN useradd --create-home --uid 1000 dice && mkdir /data && chown dice /data
USER dice
VOLUME /data
ENV DICEMASTERS_HOST=0.0.0.0 DICEMASTERS_PORT=8000 DICEMASTERS_DB=sqlite:////data/games.sqlite
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD python -c "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['DICEMASTERS_PORT'] + '/api/health', timeout=4)"
CMD ["dicemasters", "serve", "--no-browser"]
