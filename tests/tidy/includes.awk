# Who may include whom.  The rooms are src/NAME and adapters; src/main.c is one of its own.

function room_of_file(file)
{
    if (file ~ /^adapters\//)
        return "adapters"
    if (file == "src/main.c")
        return "main"
    sub(/^src\//, "", file)
    sub(/\/.*/, "", file)
    return file
}

function room_of_header(header)
{
    if (header !~ /\//)
        return header == "adapter.h" || room == "adapters" ? "adapters" : ""
    sub(/\/.*/, "", header)
    return (header in may) ? header : "adapters"
}

function allow(room, list,   names, n, i)
{
    may[room] = 1
    n = split(list, names, " ")
    for (i = 1; i <= n; i++)
        edge[room, names[i]] = 1
    edge[room, room] = 1
}

function keep(header, places) { home[header] = places }

BEGIN {
    allow("base", "")
    allow("workload", "base")
    allow("device", "base")
    allow("stats", "base")
    allow("measure", "base device")
    allow("adapters", "base workload")
    allow("plan", "base workload")
    allow("result", "base workload device measure stats")
    allow("driver", "base workload plan stats adapters device measure result")
    allow("analysis", "base stats result")
    allow("report", "base stats result analysis")
    allow("export", "base measure result analysis report")
    allow("page", "base measure stats result analysis report")
    allow("cli", "base workload device stats measure adapters plan result driver analysis report " \
          "export page")
    allow("main", "cli base")
    keep("sqlite3.h", "^adapters/sqlite/")
    keep("libpq-fe.h", "^adapters/postgres/")
    keep("jansson.h", "^src/base/")
    keep("libsmartcols.h", "^src/(report|cli)/")
    keep("libsmartcols/libsmartcols.h", "^src/(report|cli)/")
    keep("zlib.h", "^src/(measure|page)/")
}

FNR == 1 { room = room_of_file(FILENAME) }

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, part, "\"")
    other = room_of_header(part[2])
    if (other == "")
        print FILENAME ":" FNR ": \"" part[2] "\" without its room: write \"ROOM/" part[2] "\""
    else if (!((room, other) in edge))
        print FILENAME ":" FNR ": " room " may not include " other " (" part[2] ")"
}

/^[ \t]*#[ \t]*include[ \t]*</ {
    split($0, part, /[<>]/)
    if ((part[2] in home) && FILENAME !~ home[part[2]])
        print FILENAME ":" FNR ": <" part[2] "> belongs to " substr(home[part[2]], 2) " alone"
}
