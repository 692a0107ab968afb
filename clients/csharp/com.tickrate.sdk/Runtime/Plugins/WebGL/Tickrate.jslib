// Hands the calls of a web build to the TypeScript SDK, which the page loads as tickrate.iife.js.
mergeInto(LibraryManager.library, {
  $tickrateGame: { client: null, waiting: [], consent: null },

  TickrateOpen__deps: ['$tickrateGame'],
  TickrateOpen: function (url, key, sessionsUrl, account, consent, debug) {
    if (typeof tickrate === 'undefined') return 0;
    if (tickrateGame.opened) return 1;
    tickrateGame.opened = true;
    var options = { url: UTF8ToString(url), key: UTF8ToString(key), account: UTF8ToString(account), debug: debug !== 0 };
    if (UTF8ToString(sessionsUrl) !== '') options.sessionsUrl = UTF8ToString(sessionsUrl);
    // Unknown means: as remembered.
    if (UTF8ToString(consent) !== 'unknown') options.consent = UTF8ToString(consent);
    tickrate.Tickrate.open(options).then(function (client) {
      tickrateGame.client = client;
      if (tickrateGame.consent !== null) client.setConsent(tickrateGame.consent);
      tickrateGame.waiting.forEach(function (event) {
        client.track(event);
      });
      tickrateGame.waiting = [];
    });
    return 1;
  },

  TickrateTrack__deps: ['$tickrateGame'],
  TickrateTrack: function (eventType, version, json) {
    var event;
    try {
      event = { eventType: UTF8ToString(eventType), event: JSON.parse(UTF8ToString(json)) };
    } catch (error) {
      return 0;
    }
    if (version > 0) event.eventTypeVersion = version;
    if (tickrateGame.client !== null) return tickrateGame.client.track(event) ? 1 : 0;
    if (!tickrateGame.opened || tickrateGame.waiting.length >= 200) return 0;
    event.occurredAt = new Date().toISOString();
    tickrateGame.waiting.push(event);
    return 1;
  },

  TickrateSetConsent__deps: ['$tickrateGame'],
  TickrateSetConsent: function (consent) {
    if (tickrateGame.client !== null) tickrateGame.client.setConsent(UTF8ToString(consent));
    else tickrateGame.consent = UTF8ToString(consent);
  },

  TickratePending__deps: ['$tickrateGame'],
  TickratePending: function () {
    return tickrateGame.client === null ? tickrateGame.waiting.length : tickrateGame.client.pending;
  },
});
