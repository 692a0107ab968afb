#pragma once
#include "client.hpp"
