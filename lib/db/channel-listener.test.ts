import { Client } from "pg";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { ChannelListener } from "@/lib/db/channel-listener";
import { db } from "@/lib/db/pool";

const database = useServiceDatabase();

const CHANNEL = "channel_of_a_test";
const onPayload = vi.fn();
const onReconnect = vi.fn();
const isNeeded = vi.fn();
beforeEach(() => {
  vi.resetAllMocks();
  isNeeded.mockReturnValue(true);
});

function newListener(channel = CHANNEL): ChannelListener {
  const listener = new ChannelListener({ channel, onPayload, onReconnect, isNeeded });
  onTestFinished(() => listener.close());
  return listener;
}

const notify = (payload: string) => db().query("SELECT pg_notify($1, $2)", [CHANNEL, payload]);
const IS_LISTENER = "application_name = 'service-listen' AND datname = current_database()";
const breakConnection = () => db().query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${IS_LISTENER}`);
const countConnections = async () => (await db().query(`SELECT 1 FROM pg_stat_activity WHERE ${IS_LISTENER}`)).rowCount;

/** Connections that are there stay. */
async function allowConnections(isAllowed: boolean): Promise<void> {
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  url.pathname = "/postgres";
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${isAllowed}`);
  await client.end();
}

it("comes back when the database does, however often that fails before, and says once that it was away", async () => {
  const listener = newListener();
  await listener.connect();
  expect(await countConnections()).toBe(1);
  await allowConnections(false);
  onTestFinished(() => allowConnections(true));
  await breakConnection();
  await expect.poll(() => isNeeded.mock.calls.length).toBe(2);
  await expect(listener.connect()).rejects.toThrow("not currently accepting connections");
  expect(onReconnect).not.toHaveBeenCalled();
  await allowConnections(true);
  await expect.poll(() => onReconnect.mock.calls.length).toBe(1);
  await notify("after");
  await expect.poll(() => onPayload.mock.calls).toEqual([["after"]]);
  expect(await countConnections()).toBe(1);
});

it("stays away after a break that nobody waits behind, until somebody does", async () => {
  isNeeded.mockReturnValue(false);
  const listener = newListener();
  await listener.connect();
  await breakConnection();
  await expect.poll(() => isNeeded.mock.calls.length).toBe(1);
  expect(listener.isConnected).toBe(false);
  expect(await countConnections()).toBe(0);
  await listener.connect();
  await notify("heard");
  await expect.poll(() => onPayload.mock.calls).toEqual([["heard"]]);
});

it("makes one connection for all who ask, at once or later", async () => {
  const listener = newListener();
  await Promise.all([listener.connect(), listener.connect()]);
  await listener.connect();
  expect(await countConnections()).toBe(1);
});

it("leaves no connection when it cannot listen", async () => {
  await expect(newListener("no channel").connect()).rejects.toThrow("syntax error");
  await expect.poll(countConnections).toBe(0);
});

it("leaves no connection when it is closed, also while that is being made, and makes none afterwards", async () => {
  const listener = newListener();
  const connecting = listener.connect();
  await listener.close();
  await connecting;
  await listener.connect();
  expect(listener.isConnected).toBe(false);
  await expect.poll(countConnections).toBe(0);
});
