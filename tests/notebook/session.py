"""
One session at a real Jupyter server, as a browser has it: a kernel by REST, cells over its websocket.

session.py URL TOKEN CELLS: CELLS is a file of cells between lines "#---"; prints what each cell showed, one JSON
object a line: {"stdout", "stderr", "html", "text", "updates", "status"}.
A cell that begins with "#interrupt" is interrupted by REST once it has printed something.
"""
import asyncio
import json
import sys
import urllib.request
import uuid

from tornado.websocket import websocket_connect


def rest(url, token, path, body=None):
    request = urllib.request.Request(f"{url}/api/{path}", method="POST" if body is not None else "GET",
                                     data=None if body is None else json.dumps(body).encode(),
                                     headers={"Authorization": f"token {token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def request_of(code):
    return {"header": {"msg_id": uuid.uuid4().hex, "username": "t", "session": "s", "msg_type": "execute_request",
                       "version": "5.3"},
            "parent_header": {}, "metadata": {}, "channel": "shell",
            "content": {"code": code, "silent": False, "store_history": True, "user_expressions": {},
                        "allow_stdin": False, "stop_on_error": True}}


async def one_cell(socket, code, interrupt):
    asked = request_of(code)
    shown = {"stdout": "", "stderr": "", "html": {}, "text": {}, "updates": "none", "status": None}
    await socket.write_message(json.dumps(asked))
    idle, order = False, 0
    while not (idle and shown["status"]):
        message = json.loads(await asyncio.wait_for(socket.read_message(), 300))
        if message["parent_header"].get("msg_id") != asked["header"]["msg_id"]:
            continue
        kind, content = message["msg_type"], message["content"]
        if kind == "stream":
            shown[content["name"]] += content["text"]
            if code.startswith("#interrupt") and interrupt:
                interrupt()
                interrupt = None
        elif kind in ("display_data", "update_display_data", "execute_result"):
            if kind == "update_display_data":
                shown["updates"] = "some"
            name = content.get("transient", {}).get("display_id") or f"display {order}"
            order += 1
            shown["html"][name] = content["data"].get("text/html", "")
            shown["text"][name] = content["data"].get("text/plain", "")
        elif kind == "error":
            shown["stderr"] += f"{content['ename']}: {content['evalue']}\n"
        elif kind == "execute_reply":
            shown["status"] = content["status"]
        elif kind == "status":
            idle = content["execution_state"] == "idle"
    for name in ("html", "text"):
        shown[name] = "\n".join(shown[name].values())
    return shown


async def session(url, token, cells):
    kernel = rest(url, token, "kernels", {"name": "python3"})["id"]
    socket = await websocket_connect(f"{url.replace('http', 'ws', 1)}/api/kernels/{kernel}/channels?token={token}")
    for code in cells:
        shown = await one_cell(socket, code, lambda: rest(url, token, f"kernels/{kernel}/interrupt", {}))
        print(json.dumps(shown), flush=True)
    socket.close()


if __name__ == "__main__":
    with open(sys.argv[3]) as file:
        asyncio.run(session(sys.argv[1], sys.argv[2], [c.strip("\n") for c in file.read().split("#---\n")]))
